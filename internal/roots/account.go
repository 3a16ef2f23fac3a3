//go:build !windows

package roots

import (
	"os"
	"os/user"
	"strconv"
)

// LoginHome is the home directory of the real user from the account database.
// $HOME is never asked: a checkout's tooling can set it. False means that the
// account has no entry or no home.
func LoginHome() (string, bool) {
	// user.Current falls back to $HOME without cgo; LookupId does not.
	account, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil || account.HomeDir == "" {
		return "", false
	}
	return account.HomeDir, true
}
