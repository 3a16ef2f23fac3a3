package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpls/internal/lsptest"
)

// hoverOnly is the script of a server that answers one question, and does not end
// when it is asked to.
const hoverOnly = "on shutdown\n\tsilent\non exit\n\tdeaf\non initialize\n\treply {\"capabilities\": {\"hoverProvider\": true}}\non textDocument/hover\n\treply {\"contents\": \"told\"}\n"

// declaring is a workspace whose repository declares the fake server, and the flags
// by which nothing of the account plays a part.
type declaring struct {
	dir, store, script string
}

func declares(t *testing.T) declaring {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	d := declaring{dir: dir, store: filepath.Join(t.TempDir(), "trust"), script: filepath.Join(t.TempDir(), "script")}
	write(t, filepath.Join(dir, "a.txt"), "alpha\n")
	write(t, d.script, hoverOnly)
	write(t, filepath.Join(dir, "mcpls.toml"), fmt.Sprintf("[[lsp_servers]]\nlanguage_id = \"text\"\nfile_patterns = [\"*.txt\"]\ncommand = %q\nenv = { %s = %q }\n",
		fakePath, lsptest.ScriptEnv, d.script))
	return d
}

// flags begin every command line.
func (d declaring) flags(more ...string) []string {
	return append([]string{"--trust-store", d.store}, more...)
}

// run runs another mcpls in the workspace.
func (d declaring) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(mcplsPath, d.flags(args...)...)
	cmd.Dir, cmd.Env = d.dir, []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), noRaceSleep}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("mcpls %q: %v\n%s", args, err, out)
	}
	return string(out)
}

var textQuestion = args{"file_path": "a.txt", "line": 1, "character": 1}

// shownCode finds the code behind a card.
var shownCode = regexp.MustCompile(`type the code\n\s+([a-z0-9]{6})\n`)

// TestFormElicitation holds what a form can do, with clients that answer in every
// way: at most one start, and only with the code of the card.
func TestFormElicitation(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer func(code string) *mcp.ElicitResult
		starts bool
	}{
		{"with the code", func(code string) *mcp.ElicitResult {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow once", "code": code}}
		}, true},
		{"accepted by itself", func(string) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}} }, false},
		{"allowed without the code", func(string) *mcp.ElicitResult {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow once", "code": ""}}
		}, false},
		{"allowed with another code", func(string) *mcp.ElicitResult {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow once", "code": "aaaaaa"}}
		}, false},
		{"the code, and kept blocked", func(code string) *mcp.ElicitResult {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "keep blocked", "code": code}}
		}, false},
		{"declined", func(string) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "decline"} }, false},
		{"cancelled", func(string) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "cancel"} }, false},
		{"the client cannot ask", nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := declares(t)
			asked := 0
			s := setup{dir: d.dir, args: d.flags()}
			if test.answer != nil {
				s.onElicit = func(p *mcp.ElicitParams) *mcp.ElicitResult {
					asked++
					found := shownCode.FindStringSubmatch(p.Message)
					if found == nil || !strings.Contains(p.Message, fakePath) || !strings.Contains(p.Message, "NEW: a server") {
						t.Errorf("the card is\n%s", p.Message)
						return &mcp.ElicitResult{Action: "cancel"}
					}
					return test.answer(found[1])
				}
			}
			c := start(t, s)
			got, err := c.try("get_hover", textQuestion)
			if test.starts {
				if err != nil || !strings.Contains(got, "told") {
					t.Fatalf("%v: %q", err, got)
				}
				if got := c.ask("get_hover", textQuestion); !strings.Contains(got, "told") {
					t.Errorf("while it runs: %q", got)
				}
			} else if err == nil || !strings.Contains(err.Error(), "mcpls trust review text@project") {
				t.Fatalf("%v: %q", err, got)
			}
			if children := childrenOf(t, c.cmd.Process.Pid); len(children) != map[bool]int{true: 1}[test.starts] {
				t.Errorf("mcpls has the children %v", children)
			}
			// It is asked about once, whatever the client said.
			if _, err := c.try("get_hover", textQuestion); (err == nil) != test.starts {
				t.Errorf("once more: %v", err)
			}
			if want := map[bool]int{true: 1}[test.answer != nil]; asked != want {
				t.Errorf("asked %d times, want %d", asked, want)
			}
			if _, err := os.Stat(d.store); !os.IsNotExist(err) {
				t.Errorf("something was kept: %v", err)
			}
		})
	}
}

// TestElicitationCanBeTurnedOff holds the key of the user's configuration.
func TestElicitationCanBeTurnedOff(t *testing.T) {
	d := declares(t)
	config := filepath.Join(t.TempDir(), "mine.toml")
	write(t, config, fmt.Sprintf("workspace.roots = [%q]\ntrust.elicitation = false\n", d.dir))
	c := start(t, setup{dir: d.dir, args: d.flags("--config", config), onElicit: func(*mcp.ElicitParams) *mcp.ElicitResult {
		t.Error("the client was asked")
		return &mcp.ElicitResult{Action: "cancel"}
	}})
	if _, err := c.try("get_hover", textQuestion); err == nil || !strings.Contains(err.Error(), "mcpls trust review") {
		t.Error(err)
	}
}

// TestPageElicitation has a client open the consent page, and a person decide on it
// as the page's script does.
func TestPageElicitation(t *testing.T) {
	d := declares(t)
	urls := make(chan string, 1)
	c := start(t, setup{dir: d.dir, args: d.flags(), urlElicit: true, onElicit: func(p *mcp.ElicitParams) *mcp.ElicitResult {
		urls <- p.URL
		go decideOnPage(t, p.URL)
		return &mcp.ElicitResult{Action: "accept"}
	}})
	got := c.ask("get_hover", textQuestion)
	if url := <-urls; !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.Contains(got, "told") {
		t.Errorf("%s: %q", url, got)
	}
	if list := d.run(t, "trust", "list"); !strings.Contains(list, "text@project: allowed") || !strings.Contains(list, "by page") {
		t.Errorf("the decision was not kept:\n%s", list)
	}
}

// TestRevokeEndsTheServer holds that a decision made in another process counts at
// once, and that one that is taken back ends what runs by it.
func TestRevokeEndsTheServer(t *testing.T) {
	for name, revoke := range map[string][]string{
		"by id": {"trust", "revoke", "text@project"}, "everything": {"trust", "revoke", "--all"}, "the workspace": {"trust", "revoke", "--workspace"},
		"denied": {"trust", "deny", "text@project"},
	} {
		t.Run(name, func(t *testing.T) {
			d := declares(t)
			c := start(t, setup{dir: d.dir, args: d.flags()})
			if _, err := c.try("get_hover", textQuestion); err == nil {
				t.Fatal("it started before anybody said yes")
			}
			d.allow(t)
			if got := c.ask("get_hover", textQuestion); !strings.Contains(got, "told") {
				t.Fatalf("%q", got)
			}
			var told struct {
				Servers []struct{ ID, State, Scope string }
			}
			read, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "mcpls://trust"})
			must(t, err)
			must(t, json.Unmarshal([]byte(read.Contents[0].Text), &told))
			if len(told.Servers) != 1 || told.Servers[0].State != "allowed" || told.Servers[0].Scope != "workspace" {
				t.Errorf("the resource says %s", read.Contents[0].Text)
			}
			d.run(t, revoke...)
			c.untilNoChild()
			if _, err := c.try("get_hover", textQuestion); err == nil || !strings.Contains(err.Error(), "was not started") {
				t.Errorf("after the revoke: %v", err)
			}
		})
	}
}

// untilNoChild waits until mcpls has no child any more. It looks again and again,
// since the end of another process's child gives no sign.
func (c *client) untilNoChild() {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), deadline)
	defer cancel()
	for ctx.Err() == nil {
		if len(childrenOf(c.t, c.cmd.Process.Pid)) == 0 {
			return
		}
	}
	c.t.Fatal("a server goes on though its yes was taken back")
}

// allow has a person say yes, on the page of trust review --web.
func (d declaring) allow(t *testing.T) {
	t.Helper()
	cmd := exec.Command(mcplsPath, d.flags("trust", "review", "--web")...)
	cmd.Dir, cmd.Env = d.dir, []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), noRaceSleep}
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	url := regexp.MustCompile(`http://[^ ]+`).FindString(line)
	if url == "" {
		t.Fatalf("no address in %q", line)
	}
	decideOnPage(t, url)
	must(t, cmd.Wait())
}

// decideOnPage says yes on a consent page, as its script does when a person reads to
// the end of the card and types the code.
func decideOnPage(t *testing.T, page string) {
	base, token, _ := strings.Cut(page, "/#")
	secret := token
	ask := func(action string, body map[string]any) map[string]any {
		data, _ := json.Marshal(body)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/api/"+action, bytes.NewReader(data))
		if err != nil {
			t.Error(err)
			return nil
		}
		req.Header = http.Header{
			"Content-Type": {"application/json"}, "Origin": {base}, "Sec-Fetch-Site": {"same-origin"}, "Authorization": {"Bearer " + secret},
		}
		response, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return nil
		}
		defer response.Body.Close()
		var answer map[string]any
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v", action, response.Status, err)
		}
		return answer
	}
	begun := ask("begin", map[string]any{})
	secret, _ = begun["secret"].(string)
	card, _ := begun["card"].(map[string]any)
	seen := ask("seen", map[string]any{"card": card["number"]})
	ask("decide", map[string]any{"card": card["number"], "verdict": "allow", "code": seen["code"]})
}
