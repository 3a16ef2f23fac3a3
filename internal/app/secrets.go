package app

import (
	"fmt"
	"strings"

	"mcpls/internal/config"
	"mcpls/internal/launch"
	"mcpls/internal/quote"
)

// redactor hides every value that a plan or its declaration gives to a name
// that says it is a secret: environment variables, options on the command
// line, settings. The secrets of mcpls's own environment are hidden too: they
// are not passed on, but a server of the same user can read them.
func redactor(d config.Declaration, plan launch.Plan, own []string) *quote.Redactor {
	var secrets []string
	for _, pair := range own {
		if name, value, _ := strings.Cut(pair, "="); quote.SecretName(name) {
			secrets = append(secrets, value)
		}
	}
	for name, value := range plan.Env {
		if quote.SecretName(name) {
			secrets = append(secrets, value)
		}
	}
	secrets = append(secrets, secretArgs(plan.Argv)...)
	secrets = append(secrets, secretSettings(d.Settings)...)
	secrets = append(secrets, secretSettings(d.InitializationOptions)...)
	for _, secret := range secrets {
		// The scheme of an Authorization header is no part of the secret.
		if _, value, ok := strings.Cut(secret, " "); ok {
			secrets = append(secrets, value)
		}
	}
	return quote.NewRedactor(secrets...)
}

// secretArgs finds the values of --token=VALUE and --token VALUE.
func secretArgs(argv []string) []string {
	var secrets []string
	for i, arg := range argv {
		name, value, glued := strings.Cut(arg, "=")
		switch {
		case !strings.HasPrefix(name, "-") || !quote.SecretName(strings.TrimLeft(name, "-")):
		case glued:
			secrets = append(secrets, value)
		case i+1 < len(argv):
			secrets = append(secrets, argv[i+1])
		}
	}
	return secrets
}

func secretSettings(settings map[string]any) []string {
	var secrets []string
	for name, value := range settings {
		secrets = append(secrets, secretValues(value, quote.SecretName(name))...)
	}
	return secrets
}

// secretValues finds the secrets in a value; all of it is secret when its name
// says so.
func secretValues(value any, secret bool) []string {
	var secrets []string
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			secrets = append(secrets, secretValues(part, secret || quote.SecretName(name))...)
		}
	case []any:
		for _, part := range value {
			secrets = append(secrets, secretValues(part, secret)...)
		}
	default:
		if secret {
			secrets = append(secrets, fmt.Sprint(value))
		}
	}
	return secrets
}
