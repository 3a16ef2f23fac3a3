package app

import (
	"strings"

	"mcpls/internal/config"
	"mcpls/internal/launch"
	"mcpls/internal/quote"
)

// redactor hides every value that a plan or its declaration gives to a name
// that says it is a secret: environment variables, options on the command
// line, settings.
func redactor(d config.Declaration, plan launch.Plan) *quote.Redactor {
	var secrets []string
	for name, value := range plan.Env {
		if quote.SecretName(name) {
			secrets = append(secrets, value)
		}
	}
	secrets = append(secrets, secretArgs(plan.Argv)...)
	secrets = append(secrets, secretSettings(d.Settings)...)
	secrets = append(secrets, secretSettings(d.InitializationOptions)...)
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
		switch value := value.(type) {
		case string:
			if quote.SecretName(name) {
				secrets = append(secrets, value)
			}
		case map[string]any:
			secrets = append(secrets, secretSettings(value)...)
		}
	}
	return secrets
}
