package roots

import "os/user"

// LoginHome is the profile directory of the current user, from its access
// token and not from %USERPROFILE%.
func LoginHome() (string, bool) {
	account, err := user.Current()
	if err != nil || account.HomeDir == "" {
		return "", false
	}
	return account.HomeDir, true
}
