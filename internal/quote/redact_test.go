package quote

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRedact(t *testing.T) {
	for _, test := range []struct {
		name     string
		secrets  []string
		in, want string
	}{
		{"no secrets", nil, "hello", "hello"},
		{"every occurrence", []string{"hunter22"}, "hunter22 or hunter22", "[redacted] or [redacted]"},
		{"short values are ignored", []string{"", "1", "true", "12345"}, "1 true 12345", "1 true 12345"},
		{"six bytes are enough", []string{"123456"}, "0123456", "0[redacted]"},
		{"longest first", []string{"secret", "secret-long"}, "a secret-long b", "a [redacted] b"},
		{"overlap", []string{"abcdefgh", "efghijkl"}, "<abcdefghijkl>", "<[redacted]>"},
		{"overlap with itself", []string{"abcabc"}, "<abcabcabc>", "<[redacted]>"},
		{"side by side", []string{"abcdef"}, "abcdefabcdef", "[redacted][redacted]"},
		{"after String", []string{"pass\\\nword"}, `x pass\\\nword`, "x [redacted]"},
		{"after Text", []string{"pass\\\x1bword"}, `pass\\x1bword`, "[redacted]"},
		{"in JSON", []string{"p\"a\ns\x01"}, `{"v":"p\"a\ns\u0001"}`, `{"v":"[redacted]"}`},
		{"in JSON with HTML escapes", []string{"<pass&word>"}, `"\u003cpass\u0026word\u003e"`, `"[redacted]"`},
		{"after JSON", []string{"pass\u202eword\""}, `"pass\u202eword\""`, `"[redacted]"`},
		{"in JSON without HTML escapes", []string{`<pass"word>`}, `"<pass\"word>"`, `"[redacted]"`},
		{"a short value with a long form", []string{"\x01\n\n"}, `\x01\n\n`, `\x01\n\n`},
		{"a form that is too short", []string{"\r\n\r\n\r\n"}, "a\n\n\nb", "a\n\n\nb"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := NewRedactor(test.secrets...).Redact(test.in); got != test.want {
				t.Errorf("Redact(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestNilRedactor(t *testing.T) {
	var r *Redactor
	if got := r.Redact("hunter22"); got != "hunter22" {
		t.Errorf("Redact = %q", got)
	}
}

// No secret is left in a text, in any of the forms it can take there.
func TestRedactLeavesNoSecret(t *testing.T) {
	secret := rapid.StringMatching(`[ab\\"<\n\x{202e}]{6,9}`)
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(secret, 1, 4).Draw(t, "secrets")
		text := strings.Join(rapid.SliceOf(rapid.OneOf(
			rapid.SampledFrom(secrets), rapid.StringMatching(`[ab\\]*`),
		)).Draw(t, "text"), "")
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		r := NewRedactor(secrets...)
		for _, s := range secrets {
			for _, form := range []string{text, String(text), Text(text), string(encoded), string(JSON(encoded))} {
				inForm := []string{s, String(s), Text(s), insideJSON(s, true), string(JSON([]byte(insideJSON(s, true))))}
				got := r.Redact(form)
				for _, f := range inForm {
					if strings.Contains(got, f) {
						t.Fatalf("Redact(%+q) = %+q still holds %+q", form, got, f)
					}
				}
			}
		}
	})
}

func TestSecretName(t *testing.T) {
	admitted := []string{
		"GITHUB_TOKEN", "github-token", "githubToken", "dbTOKEN", "token", "Tokens", "TOKEN2", "--token", "npm.authToken",
		"client_secret", "SECRETS", "DB_PASSWORD", "passwd", "sshPassphrase", "APIKEY", "api_key", "API-KEY",
		"apiKey", "APIKeys", "AWS_ACCESS_KEY_ID", "private.key", "SECRET_KEY", "signingKey", "encryption-key",
		"GOOGLE_APPLICATION_CREDENTIALS", "credential", "auth", "OAuth", "Authorization", "bearer", "COOKIE", "cookies",
	}
	refused := []string{
		"", "tokenizer", "TOKENIZERS_PARALLELISM", "KEYBOARD", "key", "KEYS", "publicKey", "monkey", "api", "apiVersionKey",
		"key_api", "PWD", "OLDPWD", "author", "AUTHORS", "authority", "secretary", "SESSION", "session_id", "PATH", "_", "passwordless",
	}
	for _, name := range admitted {
		if !SecretName(name) {
			t.Errorf("SecretName(%q) = false", name)
		}
	}
	for _, name := range refused {
		if SecretName(name) {
			t.Errorf("SecretName(%q) = true", name)
		}
	}
}

// Each row of the tables works as it is spelled.
func TestSecretNameRows(t *testing.T) {
	for _, word := range secretWords {
		if name := "X_" + strings.ToUpper(word); !SecretName(name) {
			t.Errorf("SecretName(%q) = false", name)
		}
	}
	for _, word := range keyWords {
		if name := word + "Key"; !SecretName(name) {
			t.Errorf("SecretName(%q) = false", name)
		}
	}
}

// TestRedactEnd hides what is left of a secret where a text was cut.
func TestRedactEnd(t *testing.T) {
	r := NewRedactor("hunter2-hunter3")
	for text, want := range map[string]string{
		"er2-hunter3 said":         "[redacted] said",
		"hunter2-hunter3 said":     "[redacted] said",
		"ter3 and hunter2-hunter3": "[redacted] and [redacted]",
		"er3 said":                 "er3 said",
		"a ter3":                   "a ter3",
		"":                         "",
	} {
		if got := r.RedactEnd(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := (*Redactor)(nil).RedactEnd("ter3"); got != "ter3" {
		t.Errorf("without secrets: %q", got)
	}
}
