package quote

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// Redacted stands where a secret value was.
const Redacted = "[redacted]"

// minSecret is the length in bytes of the shortest value that a Redactor
// hides. Shorter ones, such as 1 or true, occur everywhere and would eat every
// text; and hiding each 1 would tell a reader what the value is.
const minSecret = 6

// A Redactor replaces secret values in text. A nil Redactor replaces nothing.
// It does not change once made, so goroutines may share it.
type Redactor struct {
	forms []string // what to look for, each once, none shorter than minSecret
}

// NewRedactor returns a Redactor for the given secret values. Values shorter
// than six bytes are ignored: they would eat every text.
//
// Beside the value itself the Redactor knows the forms it takes in text of
// this program: after [String], [Text] and [JSON], and inside a string that
// encoding/json wrote. It does not know a value that is split, encoded in
// another way, or escaped where no encoder here escapes (a as \u0061).
func NewRedactor(secrets ...string) *Redactor {
	r := &Redactor{}
	for _, s := range secrets {
		if len(s) >= minSecret {
			r.forms = append(r.forms, forms(s)...)
		}
	}
	// Text drops carriage returns, so a form can be shorter than its value.
	r.forms = slices.DeleteFunc(r.forms, func(form string) bool { return len(form) < minSecret })
	slices.Sort(r.forms)
	r.forms = slices.Compact(r.forms)
	return r
}

// forms returns the spellings of secret in text that this program writes.
func forms(secret string) []string {
	all := []string{secret, String(secret), Text(secret)}
	for _, html := range []bool{true, false} {
		inside := insideJSON(secret, html)
		all = append(all, inside, string(JSON([]byte(inside))))
	}
	return all
}

// insideJSON returns what encoding/json writes between the quotation marks of
// a JSON string for s, with the characters <, > and & escaped when html is set.
func insideJSON(s string, html bool) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	if err := enc.Encode(s); err != nil {
		return s // not reached: every string can be encoded
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}

// Redact returns s with every occurrence of a secret value replaced by
// [redacted]. Occurrences that overlap are replaced together, so a secret that
// holds another one goes whole, and no end of a secret is left beside another.
func (r *Redactor) Redact(s string) string {
	if r == nil {
		return s
	}
	hidden := r.find(s)
	if len(hidden) == 0 {
		return s
	}
	var b strings.Builder
	done := 0
	for _, h := range hidden {
		b.WriteString(s[done:h.start])
		b.WriteString(Redacted)
		done = h.end
	}
	b.WriteString(s[done:])
	return b.String()
}

// minRest is how much of a secret's end counts as the secret.
const minRest = 4

// RedactEnd is Redact for the end of a longer text: what may be the rest of a
// secret, at its beginning, is replaced too.
func (r *Redactor) RedactEnd(s string) string {
	if r == nil {
		return s
	}
	longest := 0
	for _, form := range r.forms {
		for n := len(form) - 1; n >= minRest && n > longest; n-- {
			if strings.HasPrefix(s, form[len(form)-n:]) {
				longest = n
			}
		}
	}
	if longest == 0 {
		return r.Redact(s)
	}
	return Redacted + r.Redact(s[longest:])
}

// span is a range of bytes in a text: from start, up to and without end.
type span struct{ start, end int }

// find returns where the secrets are in s, in order and without overlap.
func (r *Redactor) find(s string) []span {
	var found []span
	for _, form := range r.forms {
		for from := 0; ; {
			i := strings.Index(s[from:], form)
			if i < 0 {
				break
			}
			start := from + i
			found = append(found, span{start, start + len(form)})
			from = start + 1 // not past the end: a value can overlap itself
		}
	}
	slices.SortFunc(found, func(a, b span) int { return a.start - b.start })
	return merge(found)
}

// merge joins the spans that overlap. The spans are sorted by their start.
func merge(sorted []span) []span {
	var out []span
	for _, s := range sorted {
		if last := len(out) - 1; last >= 0 && s.start < out[last].end {
			out[last].end = max(out[last].end, s.end)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// secretWords are the words that make a name the name of a secret wherever
// they stand in it.
var secretWords = []string{
	"token", "tokens",
	"secret", "secrets",
	"password", "passwords", "passwd", "passphrase", "passphrases",
	"apikey", "apikeys",
	"credential", "credentials",
	"auth", "authorization", "bearer",
	"cookie", "cookies",
}

// keyWords are the words that make a following "key" or "keys" a secret. A key
// alone is most often a key of a map or of a keyboard.
var keyWords = []string{"access", "api", "private", "secret", "signing", "encryption"}

// SecretName reports whether name, of a variable, flag or option, says that
// its value is a secret.
//
// The words of the name decide, without regard to case. A word is a run of
// letters, so _, -, . and digits end it, and so does the change from a small
// letter to a capital one: GITHUB_TOKEN, --api-key, auth.token2 and privateKey
// are secret. Words that only begin alike are not (tokenizer, keyboard), and
// neither is PWD, which names a directory. A name that runs its words together
// (githubtoken) is not recognised, and one that counts tokens (max_tokens) is
// taken for a secret: that only hides a number.
func SecretName(name string) bool {
	previous := ""
	for _, word := range words(name) {
		if slices.Contains(secretWords, word) {
			return true
		}
		if (word == "key" || word == "keys") && slices.Contains(keyWords, previous) {
			return true
		}
		previous = word
	}
	return false
}

// words returns the words of name in small letters: XMLApi_key2 has the words
// xml, api and key.
func words(name string) []string {
	var out []string
	for _, run := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		out = append(out, camelWords([]rune(run))...)
	}
	return out
}

// camelWords splits a run of letters before each capital that follows a small
// letter or precedes one: apiKey, and APIKey, are api and key.
func camelWords(run []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(run); i++ {
		if !unicode.IsUpper(run[i]) {
			continue
		}
		afterSmall := !unicode.IsUpper(run[i-1])
		beforeSmall := i+1 < len(run) && !unicode.IsUpper(run[i+1])
		if afterSmall || beforeSmall {
			out = append(out, strings.ToLower(string(run[start:i])))
			start = i
		}
	}
	return append(out, strings.ToLower(string(run[start:])))
}
