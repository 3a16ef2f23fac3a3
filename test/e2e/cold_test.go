package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// coldEnv says how often each server is started cold. TestCold does nothing
// without it: `make cold` sets it.
const coldEnv = "MCPLS_COLD"

// TestCold starts each server many times, each time a fresh process with a
// fresh home, and asks everything at once as soon as mcpls is connected. Every
// answer must be right; an honest "not yet" is asked again.
func TestCold(t *testing.T) {
	starts, err := strconv.Atoi(os.Getenv(coldEnv))
	if err != nil {
		t.Skip("cold starts are measured by: make cold")
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "server\tstarts\tanswers\tretries\tempty\tfalse clean\tother wrong\tfirst right\tall right\t")
	// Made before the first start: a file that is younger than two seconds counts
	// as changed, and would be shown to a server that must find it by itself.
	dirs := map[string]string{}
	for _, l := range everyLanguage() {
		dirs[l.name] = l.workspace(t)
	}
	for _, l := range everyLanguage() {
		if _, err := os.Stat(filepath.Join(serversDir, l.needs)); err != nil {
			fmt.Fprintf(w, "%s\tnot installed\t\t\t\t\t\t\t\t\n", l.name)
		}
		t.Run(l.name, func(t *testing.T) {
			needServer(t, l.needs)
			var sum tally
			for i := range starts {
				t.Run(fmt.Sprint(i), func(t *testing.T) { sum.add(l.coldStart(t, dirs[l.name], i)) })
			}
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", l.name, starts, sum.answers, sum.retries,
				sum.wrong["empty"], sum.wrong["false clean"], sum.wrong["other"], median(sum.first), median(sum.all))
		})
	}
	w.Flush()
	t.Logf("cold starts; the times are medians from the connection on:\n%s", &table)
}

// tally counts what came of cold starts. add is safe for concurrent use.
type tally struct {
	mu               sync.Mutex
	answers, retries int
	wrong            map[string]int
	first, all       []time.Duration
}

func (s *tally) add(one *tally) {
	s.answers, s.retries = s.answers+one.answers, s.retries+one.retries
	if s.wrong == nil {
		s.wrong = map[string]int{}
	}
	for kind, n := range one.wrong {
		s.wrong[kind] += n
	}
	s.first, s.all = append(s.first, one.first...), append(s.all, one.all...)
}

func median(list []time.Duration) string {
	if len(list) == 0 {
		return "-"
	}
	slices.Sort(list)
	return list[len(list)/2].Round(time.Millisecond).String()
}

// coldStart is one start. Before it a file is given a symbol of a new name, so
// that what an earlier start has left in a cache is out of date.
func (l language) coldStart(t *testing.T, dir string, n int) *tally {
	questions := slices.Clone(l.questions)
	if l.fresh.file != "" {
		questions = append(questions, l.freshen(t, dir, n)...)
	}
	rand.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
	c := l.start(t, dir)
	defer c.close()
	begin := time.Now()
	one := &tally{wrong: map[string]int{}}
	var each sync.WaitGroup
	for _, q := range questions {
		each.Go(func() { one.ask(c, q, begin) })
	}
	each.Wait()
	if len(one.all) > 0 {
		one.first, one.all = []time.Duration{slices.Min(one.all)}, []time.Duration{slices.Max(one.all)}
	}
	return one
}

// freshen gives the file a symbol of a new name, and asks for it.
func (l language) freshen(t *testing.T, dir string, n int) []asked {
	name := fmt.Sprintf("fresh%d", n)
	write(t, filepath.Join(dir, filepath.FromSlash(l.fresh.file)), strings.ReplaceAll(l.fresh.text, "NAME", name))
	list := []asked{{tool: "get_document_symbols", args: args{"file_path": l.fresh.file}, has: []string{" " + name}}}
	if !l.fresh.noSearch {
		list = append(list, asked{tool: "workspace_symbol_search", args: args{"query": name}, has: []string{"1 symbol for", " " + name, " " + l.fresh.file + ":"}})
	}
	return list
}

// patience is how long a server may say "not yet": far longer than any does.
const patience = 3 * time.Minute

var stillLoading = regexp.MustCompile(`\n\[\w+ was still loading the workspace: there may be more\]`)

// ask asks one question until there is an answer, and judges it.
func (s *tally) ask(c *client, q asked, begin time.Time) {
	retries := 0
	got, err := c.try(q.tool, q.args)
	for notYet(got, err) && time.Since(begin) < patience {
		retries++
		got, err = c.try(q.tool, q.args)
	}
	if err != nil {
		got = "error: " + err.Error()
	}
	took := time.Since(begin)
	// That there may be more is honest; what there is must be all there is.
	got = stillLoading.ReplaceAllString(got, "")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers++
	s.retries += retries
	wrong := q.wrong(got)
	if wrong == "" {
		s.all = append(s.all, took)
		return
	}
	kind := kindOfWrong(got)
	s.wrong[kind]++
	c.t.Errorf("%s: %s %v:\n%s", kind, q.tool, q.args, wrong)
}

// notYet reports whether an answer is an honest "not yet".
func notYet(got string, err error) bool {
	return err != nil && retryable(err) || err == nil && strings.Contains(got, ": not known yet: ")
}

func kindOfWrong(got string) string {
	for _, none := range []string{": no references", ": no definitions", ": no symbols", "no symbol ", "nothing is known"} {
		if strings.Contains(got, none) {
			return "empty"
		}
	}
	if strings.Contains(got, "no errors or warnings") {
		return "false clean"
	}
	return "other"
}

func everyLanguage() []language { return slices.Concat([]language{goLanguage}, languages) }

// goLanguage is gopls with the questions of TestAnswers, and a known error.
var goLanguage = language{
	name: "gopls", needs: "gopls", id: "go", dir: "shop",
	prepare: func(t testing.TB, dir string) {
		if err := os.Mkdir(filepath.Join(dir, "broken"), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "broken", "broken.go"), "package broken\n\nvar Count string = 1\n")
	},
	questions: goQuestions(),
	fresh:     freshFile{file: "broken/fresh.go", text: "package broken\n\nfunc NAME() {}\n"},
}

func goQuestions() []asked {
	list := []asked{{tool: "get_diagnostics", args: args{"file_path": "broken/broken.go"}, has: []string{"broken/broken.go:3:20: error: cannot use 1"}}}
	for _, a := range answers {
		list = append(list, asked{tool: a.tool, args: a.args, want: a.want})
	}
	return list
}
