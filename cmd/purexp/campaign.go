package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// The following constants are exit codes of commands that read campaigns or problem files, in
// addition to the general exit codes. Scripts depend on the exit codes, so the codes must not change.
const (
	exitInput    = 3  // the request or a result is invalid; nothing was recorded
	exitConflict = 4  // the request contradicts the record; nothing was recorded
	exitFile     = 5  // the file is not a campaign, is damaged, or fails verification
	exitAgain    = 6  // the disk is full or fails, or the file is busy or was moved
	exitFinished = 10 // the command ask found that the campaign has ended
	exitWait     = 11 // the command ask found that no measurement is useful until pending results are reported
)

// campaignCodes maps errors of campaigns to exit codes; the first entry that matches applies.
var campaignCodes = []struct {
	is   error
	code int
	kind string // value of "kind" in the JSON output
}{
	{campaign.ErrConflict, exitConflict, "conflict"},
	{campaign.ErrOther, exitConflict, "other problem"},
	{campaign.ErrInput, exitInput, "input"},
	{campaign.ErrDamaged, exitFile, "damaged"},
	{campaign.ErrForeign, exitFile, "no campaign"},
	{campaign.ErrForeignLog, exitFile, "foreign log"},
	{campaign.ErrNewer, exitFile, "newer"},
	{errUnverified, exitFile, "unverified"},
	{campaign.ErrFull, exitAgain, "disk"},
	{campaign.ErrBusy, exitAgain, "busy"},
	{campaign.ErrMoved, exitAgain, "moved"},
	{errFinished, exitFinished, "finished"},
	{errWait, exitWait, "wait"},
}

var (
	errFinished = errors.New("no more measurements are needed")
	errWait     = errors.New("no further measurement is useful until the pending results are reported; 'purexp " +
		"campaign ask --pending' lists their tickets")
	errUnverified = errors.New("the file failed verification")
)

// campaignCode returns the exit code for an error of a campaign, and the kind of the error for JSON
// output; for other errors, the code is 0.
func campaignCode(err error) (code int, kind string) {
	var wrong problem.Errors
	if errors.As(err, &wrong) {
		return exitInput, "problem"
	}
	for _, c := range campaignCodes {
		if errors.Is(err, c.is) {
			return c.code, c.kind
		}
	}
	return 0, ""
}

// shared holds the flags that all campaign commands share.
type shared struct {
	file, who string
	json      bool
}

// campaignEnding is the extension of campaign files.
const campaignEnding = ".campaign"

func newCampaign() *cobra.Command {
	b := new(shared)
	cmd := &cobra.Command{
		Use:   "campaign",
		Short: "Run a method on your own measurements: ask, measure, tell",
		Long: `Campaign runs a method on your own measurements. Several people and machines can write to a
campaign file at the same time. The file keeps a record of who did what, and when. See
docs/run-a-campaign.md.

--file or PUREXP_CAMPAIGN names the file. The default is the only file in the current folder
whose name ends in .campaign. With --json, every command prints JSON, even for errors.

Exit codes:
   0  done
   1  failed for another reason
   2  the command line is wrong
   3  the request or a result is invalid; nothing was recorded
   4  the request or a result contradicts the record; nothing was recorded
   5  the file is not a campaign, is damaged, or fails verification
   6  the disk is full or fails, or the file is busy or was moved; follow the error message
  10  ask: the campaign is finished
  11  ask: no more measurements until pending results are reported`,
		Example: `  purexp campaign new coupling.toml
  purexp campaign ask --plate 8 --as robot-1 > plate.csv
  purexp campaign tell plate.csv --as robot-1
  purexp campaign status`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	f := cmd.PersistentFlags()
	f.StringVarP(&b.file, "file", "f", "", "file of the campaign")
	f.StringVar(&b.who, "as", "", "your name for the record (default: your user name)")
	f.BoolVar(&b.json, "json", false, "print JSON")
	cmd.AddCommand(b.plan(), b.new(), b.ask(), b.tell(), b.status(), b.drop(), b.join(), b.undo(),
		b.history(), b.sign(), b.export(), b.importing(), b.verify(), b.execute(), b.report(), b.certificate())
	return cmd
}

// run wraps the function of a command: with --json, the wrapper prints the function's result or
// error as JSON.
func (b *shared) run(f func(cmd *cobra.Command, a []string) (any, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, a []string) error {
		v, err := f(cmd, a)
		if !b.json {
			return err
		}
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetEscapeHTML(false)
		if err == nil {
			return enc.Encode(v)
		}
		_, kind := campaignCode(err)
		body := struct {
			Error   string                 `json:"error"`
			Kind    string                 `json:"kind,omitempty"`
			Results campaign.InputErrors   `json:"results,omitempty"`
			Problem problem.Errors         `json:"problem,omitempty"`
			Verify  *campaign.Verification `json:"verification,omitempty"`
		}{Error: err.Error(), Kind: kind}
		errors.As(err, &body.Results)
		errors.As(err, &body.Problem)
		if found, ok := v.(*campaign.Verification); ok {
			body.Verify = found
		}
		return errors.Join(err, enc.Encode(body))
	}
}

// path returns the path of the campaign file: the value of --file, otherwise the value of
// PUREXP_CAMPAIGN, and otherwise the path of the only campaign in the current folder.
func (b *shared) path() (string, error) {
	if b.file != "" {
		return b.file, nil
	}
	if path := os.Getenv("PUREXP_CAMPAIGN"); path != "" {
		return path, nil
	}
	found, err := filepath.Glob("*" + campaignEnding)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", fmt.Errorf("this folder has no file *%s; start a campaign with 'purexp campaign new "+
			"PROBLEM.toml', or name a campaign file with --file: %w", campaignEnding, fs.ErrNotExist)
	case len(found) > 1:
		return "", usage("this folder has several campaigns (%s); choose one with --file", strings.Join(found, ", "))
	}
	return found[0], nil
}

// name returns the author to record for an action: the value of --as, or else the user name.
func (b *shared) name() string {
	if b.who != "" {
		return b.who
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "somebody"
}

// open opens the campaign, calls f with it, and closes it.
func (b *shared) open(f func(c *campaign.Campaign) (any, error)) (_ any, err error) {
	path, err := b.path()
	if err != nil {
		return nil, err
	}
	c, err := campaign.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return f(c)
}

// say prints a line for people; with --json, it prints nothing.
func (b *shared) say(w io.Writer, format string, args ...any) {
	if !b.json {
		fmt.Fprintln(w, plaintext.Shown(fmt.Sprintf(format, args...))) // older files may contain control characters
	}
}

// vacant returns an error if a file exists at path; standard output ("" or "-") is always accepted.
func vacant(path string) error {
	if path == "" || path == "-" {
		return nil
	}
	if _, err := os.Lstat(path); err == nil {
		return taken(path)
	}
	return nil
}

func taken(path string) error {
	return usage("%s already exists; remove it, or choose another name", path)
}

// output calls f with a new file at path, which must not exist yet, or with standard output.
func output(cmd *cobra.Command, path string, f func(io.Writer) error) error {
	if path == "" || path == "-" {
		return f(cmd.OutOrStdout())
	}
	return create(path, f)
}

// create writes the output of f to a new file at path, and removes the file if writing fails.
func create(path string, f func(io.Writer) error) error {
	if err := vacant(path); err != nil {
		return err
	}
	var text bytes.Buffer // the output is buffered, so that an interrupt leaves no partial file
	if err := f(&text); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return taken(path)
	}
	if err != nil {
		return err
	}
	_, err = text.WriteTo(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// begun is the JSON output of the commands new and import.
type begun struct {
	File string `json:"file"`
	campaign.Status
}

func (b *shared) new() *cobra.Command {
	var worksheet, with, replicates string
	cmd := &cobra.Command{
		Use: "new PROBLEM.toml", Short: "Create a campaign",
		Long: `New creates a campaign from a problem file (see docs/your-problem.md) and stores the complete
problem in it. If the campaign already exists with the same problem, New changes nothing. --with
reports a table of existing results as a batch with the name of the table, like 'campaign tell
TABLE --batch NAME'. If the problem names no method, New chooses a method that can use these
results. With --replicates, each row is a summary of several measurements; see 'campaign tell'.
--worksheet also writes the worksheet of the first plate.`,
		Example: "  purexp campaign new coupling.toml --worksheet plate-1.csv\n" +
			"  purexp campaign new coupling.toml --with last-year.csv\n" +
			"  purexp campaign new coupling.toml --file autumn.campaign --as Ada",
		Args: args(cobra.ExactArgs(1)),
		RunE: b.run(func(cmd *cobra.Command, a []string) (_ any, err error) {
			if replicates != "" && with == "" {
				return nil, usage("--replicates needs --with; name the table of existing results in --with")
			}
			p, err := problem.Read(a[0])
			if err == nil {
				err = vacant(worksheet)
			}
			if err != nil {
				return nil, err
			}
			base := filepath.Base(a[0])
			path := cmp.Or(b.file, os.Getenv("PUREXP_CAMPAIGN"),
				strings.TrimSuffix(base, filepath.Ext(base))+campaignEnding)
			var text []byte
			if with != "" {
				if text, err = contents(cmd.InOrStdin(), with); err != nil {
					return nil, err
				}
			}
			q := p.Clone()
			if with != "" && q.Method.Name == "" { // choose a method that can use unsolicited results
				q.Method.Name = q.AnySampling()
			}
			c, err := campaign.Create(path, q, b.name())
			there := errors.Is(err, fs.ErrExist)
			if there {
				old, e := campaign.Open(path)
				if e != nil {
					return nil, errors.Join(err, e)
				}
				if e := old.Check(p); e != nil {
					return nil, errors.Join(e, old.Close())
				}
				c, err = old, nil
			}
			if err != nil {
				return nil, err
			}
			if with != "" {
				base := filepath.Base(with)
				var receipt campaign.Receipt
				results, notes, err := c.ReadBatch(strings.TrimSuffix(base, filepath.Ext(base)), replicates, with, text)
				if err == nil {
					receipt, err = c.Tell(results, b.name())
				}
				if err != nil {
					err = errors.Join(err, c.Close())
					if !there {
						err = errors.Join(fmt.Errorf("the campaign was not created: %w", err), os.Remove(path))
					}
					return nil, err
				}
				b.say(cmd.OutOrStdout(), "%s", receiptText(&receipt))
				b.noted(cmd, notes)
			}
			defer func() { err = errors.Join(err, c.Close()) }()
			s, err := c.Status()
			if err != nil {
				return nil, err
			}
			format := "wrote %s: %s"
			if there {
				format = "%s already exists with the same problem. %s"
			}
			b.say(cmd.OutOrStdout(), format, path, s.Headline)
			if worksheet == "" {
				return begun{path, s}, nil
			}
			return begun{path, s}, b.first(cmd, c, p, worksheet)
		}),
	}
	cmd.Flags().StringVar(&worksheet, "worksheet", "", "`file` for the first worksheet")
	cmd.Flags().StringVar(&with, "with", "", "`table` of existing results, reported as a batch named after the file")
	cmd.Flags().StringVar(&replicates, "replicates", "", summedFlag+"; needs --with")
	return cmd
}

// first writes the first worksheet; calling first again writes the same tickets.
func (b *shared) first(cmd *cobra.Command, c *campaign.Campaign, p *problem.Problem, path string) error {
	tickets, err := c.AskOnce("first worksheet", p.Laboratory.Wells(), b.name())
	if err != nil {
		return err
	}
	err = output(cmd, path, func(w io.Writer) error { return c.WriteSheet(w, tickets) })
	if err == nil && path != "-" {
		b.say(cmd.OutOrStdout(), "wrote %s; fill it in, then run: purexp campaign tell %s", path, path)
	}
	return err
}

func (b *shared) importing() *cobra.Command {
	return &cobra.Command{
		Use: "import RECORD.jsonl", Short: "Create a campaign from an exported record",
		Long: `Import creates a campaign from the output of 'purexp campaign export', with the same events
and hashes. --file names the new file.`,
		Example: "  purexp campaign import record.jsonl --file again.campaign",
		Args:    args(cobra.ExactArgs(1)),
		RunE: b.run(func(cmd *cobra.Command, a []string) (_ any, err error) {
			if b.file == "" {
				return nil, usage("--file is missing; name the file to create")
			}
			in, err := problem.OpenFile(a[0])
			if err != nil {
				return nil, err
			}
			defer in.Close()
			c, err := campaign.Import(b.file, in)
			if err != nil && !errors.Is(err, fs.ErrExist) {
				err = fmt.Errorf("%s: %w", a[0], err)
			}
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, c.Close()) }()
			s, err := c.Status()
			b.say(cmd.OutOrStdout(), "wrote %s: %s", c.Path(), s.Headline)
			return begun{c.Path(), s}, err
		}),
	}
}

func (b *shared) export() *cobra.Command {
	var format, path string
	var intact bool
	cmd := &cobra.Command{
		Use: "export", Short: "Write the record as JSON lines, or the results as CSV",
		Long: `Export writes the whole record as JSON lines, or the results as CSV. Import restores the
campaign from the JSON lines. With --intact, Export writes the intact events of a damaged file.`,
		Example: "  purexp campaign export > record.jsonl\n" +
			"  purexp campaign export --format csv --output results.csv\n" +
			"  purexp campaign export --intact --output rescued.jsonl",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case format != "jsonl" && format != "csv":
				return usage("--format is %q; expected jsonl or csv", format)
			case intact && format == "csv":
				return usage("--intact writes only jsonl; import its output, then export the results as csv")
			}
			file, err := b.path()
			if err != nil {
				return err
			}
			if intact {
				return output(cmd, path, func(w io.Writer) error {
					n, damage, err := campaign.ExportIntact(file, w)
					if err == nil && damage != nil {
						fmt.Fprintf(cmd.ErrOrStderr(), "wrote %d intact events. %v\n", n, damage)
					}
					return err
				})
			}
			c, err := campaign.Open(file)
			if err != nil {
				return err
			}
			write := c.Export
			if format == "csv" {
				write = c.ExportCSV
			}
			return errors.Join(output(cmd, path, write), c.Close())
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", "jsonl or csv")
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write (default: standard output)")
	cmd.Flags().BoolVar(&intact, "intact", false, "write the intact events of a damaged file")
	return cmd
}

func (b *shared) verify() *cobra.Command {
	return &cobra.Command{
		Use: "verify", Short: "Check that nobody edited the record",
		Long: `Verify checks the pages of the file, its triggers, and the chain of hashes of its events. Then
it replays the campaign: it checks that the method chose the requested measurements, and that
the stored state follows from the events. Compare the printed hash with the hash in an earlier
report: if somebody replaced the whole history, the hashes differ.`,
		Args: args(cobra.NoArgs),
		RunE: b.run(func(cmd *cobra.Command, _ []string) (any, error) {
			path, err := b.path()
			if err != nil {
				return nil, err
			}
			v, err := campaign.Verify(cmd.Context(), path)
			if err != nil {
				return nil, err
			}
			for _, note := range v.Notes {
				b.say(cmd.OutOrStdout(), "note: %s", note)
			}
			if !v.OK() {
				return &v, fmt.Errorf("%w:\n  %s", errUnverified, strings.Join(v.Wrong, "\n  "))
			}
			b.say(cmd.OutOrStdout(), "%s is intact: %d events; the last event has the hash %s", path, v.Events, v.Hash)
			return &v, nil
		}),
	}
}
