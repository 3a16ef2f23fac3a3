package quote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

const evil = "a\x1b]0;b\u202e\n"

// evilSafe is evil after String.
const evilSafe = `a\x1b]0;b\u202e\n`

type stringer struct{}

func (stringer) String() string { return evil }

type valuer struct{ v slog.Value }

func (v valuer) LogValue() slog.Value { return v.v }

// evilRecords are the ways by which a value can come into a log line.
var evilRecords = map[string]func(*slog.Logger){
	"message":           func(l *slog.Logger) { l.Info(evil) },
	"string":            func(l *slog.Logger) { l.Info("m", "k", evil) },
	"With":              func(l *slog.Logger) { l.With("k", evil).Info("m") },
	"WithGroup":         func(l *slog.Logger) { l.WithGroup("g").Info("m", "k", evil) },
	"nested group":      func(l *slog.Logger) { l.Info("m", slog.Group("g", slog.Group("h", "k", evil))) },
	"error":             func(l *slog.Logger) { l.Info("m", "k", errors.New(evil)) },
	"Stringer":          func(l *slog.Logger) { l.Info("m", "k", stringer{}) },
	"[]string":          func(l *slog.Logger) { l.Info("m", "k", []string{evil}) },
	"[]byte":            func(l *slog.Logger) { l.Info("m", "k", []any{json.Number(evil)}) },
	"map":               func(l *slog.Logger) { l.Info("m", "k", map[string]string{evil: evil}) },
	"struct":            func(l *slog.Logger) { l.Info("m", "k", struct{ Name any }{evil}) },
	"pointer to struct": func(l *slog.Logger) { l.Info("m", "k", &struct{ Name string }{evil}) },
	"LogValuer":         func(l *slog.Logger) { l.Info("m", "k", valuer{slog.StringValue(evil)}) },
	"LogValuer, group":  func(l *slog.Logger) { l.Info("m", "k", valuer{slog.GroupValue(slog.String("k", evil))}) },
	"LogValuer, any":    func(l *slog.Logger) { l.Info("m", "k", valuer{slog.AnyValue([]string{evil})}) },
	"LogValuer, deep":   func(l *slog.Logger) { l.Info("m", "k", valuer{slog.AnyValue(valuer{slog.StringValue(evil)})}) },
}

func TestHandlerWritesNothingRaw(t *testing.T) {
	for name, log := range evilRecords {
		for _, asJSON := range []bool{false, true} {
			var b bytes.Buffer
			log(slog.New(Handler(&b, slog.LevelInfo, asJSON)))
			got := b.String()
			line, ended := strings.CutSuffix(got, "\n")
			if !ended || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%s, JSON %t: raw text in %q", name, asJSON, got)
			}
			// Both formats quote a backslash once more where they quote.
			if plain := strings.ReplaceAll(line, `\\`, `\`); !strings.Contains(plain, evilSafe) {
				t.Errorf("%s, JSON %t: no safe form of the value in %q", name, asJSON, got)
			}
		}
	}
}

func TestHandlerFormats(t *testing.T) {
	record := func() slog.Record {
		r := slog.NewRecord(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), slog.LevelWarn, "server gone", 0)
		r.Add("n", 3, "after", 2*time.Second, "err", errors.New("EOF"), "args", []string{"a", "b"})
		return r
	}
	for _, test := range []struct {
		asJSON bool
		want   string
	}{
		{false, `time=2026-01-02T03:04:05.000Z level=WARN msg="server gone" n=3 after=2s err=EOF args="[a b]"` + "\n"},
		{true, `{"time":"2026-01-02T03:04:05Z","level":"WARN","msg":"server gone","n":3,"after":2000000000,"err":"EOF","args":"[a b]"}` + "\n"},
	} {
		var b bytes.Buffer
		if err := Handler(&b, slog.LevelInfo, test.asJSON).Handle(context.Background(), record()); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != test.want {
			t.Errorf("got  %swant %s", got, test.want)
		}
	}
}

func TestHandlerLevel(t *testing.T) {
	var level slog.LevelVar
	level.Set(slog.LevelWarn)
	var b bytes.Buffer
	l := slog.New(Handler(&b, &level, false))
	l.Info("quiet")
	level.Set(slog.LevelInfo)
	l.Info("loud")
	if got := b.String(); strings.Contains(got, "quiet") || !strings.Contains(got, "loud") {
		t.Errorf("got %q", got)
	}
}
