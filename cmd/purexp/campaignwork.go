package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/tidy"
)

// asked is the JSON output of the command ask.
type asked struct {
	Tickets []campaign.Ticket `json:"tickets"`
	Status  string            `json:"status"`
	Pending int               `json:"pending"`
	Warning string            `json:"warning,omitempty"` // set if all affordable measurements have been requested
}

func (b *shared) ask() *cobra.Command {
	var plate int
	var pending bool
	var key, path string
	var arms []string
	cmd := &cobra.Command{
		Use: "ask", Short: "Get the next measurements, as a worksheet",
		Long: `Ask creates tickets for the next measurements, and prints a worksheet: a CSV file with a row
for each ticket. Fill in the results, or "failed", and report the file with 'campaign tell'.
Several people can ask at the same time, and you can report some rows before others.

With --arms, you choose the measurements yourself. The results count, because the tickets
announce the measurements before you make them. With --pending, Ask prints the tickets without
results, of all people or only of the person named by --as.`,
		Example: "  purexp campaign ask --plate 8 --as robot-1 > plate.csv\n" +
			"  purexp campaign ask --pending --as robot-1\n  purexp campaign ask --arms A07,A07,B02\n" +
			"  purexp campaign ask --plate 1 --json",
		Args: args(cobra.NoArgs),
		RunE: b.run(func(cmd *cobra.Command, _ []string) (any, error) {
			return b.open(func(c *campaign.Campaign) (any, error) {
				p, err := c.Problem()
				if err != nil {
					return nil, err
				}
				var tickets []campaign.Ticket
				switch {
				case pending:
					all, err := c.Tickets(campaign.Pending)
					if err != nil {
						return nil, err
					}
					for _, t := range all {
						if b.who == "" || t.Who == b.who {
							tickets = append(tickets, t)
						}
					}
				case cmd.Flags().Changed("plate") && plate < 1:
					return nil, usage("--plate is %d; expected at least 1", plate)
				default:
					if err := vacant(path); err != nil {
						return nil, err // fail before any ticket is created
					}
					plate = cmp.Or(plate, p.Laboratory.Wells())
					if arms != nil {
						tickets, err = c.Announce(key, arms, b.name())
					} else {
						tickets, err = c.AskOnce(key, plate, b.name())
					}
					if err != nil {
						return nil, err
					}
				}
				s, err := c.Status()
				if err != nil {
					return nil, err
				}
				if len(tickets) == 0 && !pending {
					if s.Status == campaign.Running {
						return nil, fmt.Errorf("%w. %s", errWait, s.Headline)
					}
					return nil, fmt.Errorf("%w. %s", errFinished, s.Headline)
				}
				if b.json {
					return asked{tickets, s.Status, s.Pending, s.Excess()}, nil
				}
				if text := s.Excess(); text != "" && !pending {
					fmt.Fprintln(cmd.ErrOrStderr(), "Warning:", text)
				}
				return nil, output(cmd, path, func(w io.Writer) error { return c.WriteSheet(w, tickets) })
			})
		}),
	}
	cmd.Flags().IntVar(&plate, "plate", 0, "largest number of measurements (default: laboratory.plate of the "+
		"problem, or 1)")
	cmd.Flags().StringSliceVar(&arms, "arms", nil, "`candidates` that you choose, one for each measurement: A07,A07,B02")
	cmd.Flags().BoolVar(&pending, "pending", false, "print the tickets that have no result yet")
	cmd.Flags().StringVar(&key, "key", "", "any text; a repeated request with the same text gets the same tickets")
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write (default: standard output)")
	return cmd
}

func (b *shared) tell() *cobra.Command {
	var ticket int
	var failed bool
	var id, arm, note, batch, replicates string
	cmd := &cobra.Command{
		Use:   "tell RESULTS.csv | NAME=VALUE...",
		Short: "Report results",
		Long: `Tell reports results from a filled-in worksheet (- is standard input), or the result of one
ticket from the command line. Rows without results stay pending. "failed" instead of a value, or
in the note of a row without values, records a failure. You can report a file twice: results that
are already on record do not count again.

Rows without a ticket are unsolicited results. They need a candidate, in the column candidate or
in the problem's column of names, and a unique id in the column id. With --batch a table needs no
ids: line 3 of the batch 2025 has the id 2025:3. If columns are called rep1, rep2 or yield_1,
yield_2, the second replicate of line 3 has the id 2025:3.2. So you can report the table again
with rows added at its end. Tickets and plates in a batch are ignored; the monitors treat a batch
as a plate.

With --replicates COLUMN, each row is a summary of several measurements, and this column has
their number. The values are means or, for counts, total numbers of successes.

Tell rejects worksheets of other campaigns. A table has at most 100000 lines; split longer
tables. If anything is wrong, nothing is recorded, and each error names the line and the column.`,
		Example: `  purexp campaign tell plate.csv --as robot-1
  purexp campaign tell --ticket 17 yield=71.2 impurity=1.3
  purexp campaign tell --ticket 18 --failed --note "empty well"
  purexp campaign tell --candidate A07 --id page-12 yield=70.9 impurity=1.1
  purexp campaign tell last-year.csv --batch 2025
  purexp campaign tell clicks.csv --batch june --replicates visitors`,
		Args: args(cobra.ArbitraryArgs),
		RunE: b.run(func(cmd *cobra.Command, a []string) (any, error) {
			one := ticket != 0 || failed || id != "" || arm != "" || note != ""
			if !one && len(a) != 1 {
				return nil, usage("%d files are named; name one, or report one result with --ticket or "+
					"--candidate", len(a))
			}
			if one && batch+replicates != "" {
				return nil, usage("--batch and --replicates need a table; to report one result, use --id instead")
			}
			return b.open(func(c *campaign.Campaign) (any, error) {
				var results []campaign.Result
				var notes []string
				var err error
				if one {
					results = make([]campaign.Result, 1)
					r := &results[0]
					*r, err = single(c, a, failed)
					r.Ticket, r.ID, r.Arm, r.Note = ticket, id, arm, note
				} else {
					var text []byte
					if text, err = contents(cmd.InOrStdin(), a[0]); err == nil {
						results, notes, err = c.ReadBatch(batch, replicates, a[0], text)
					}
				}
				if err != nil {
					return nil, err
				}
				receipt, err := c.Tell(results, b.name())
				if err != nil {
					return nil, err
				}
				receipt.Notes = append(notes, receipt.Notes...)
				b.noted(cmd, receipt.Notes)
				b.say(cmd.OutOrStdout(), "%s", receiptText(&receipt))
				if receipt.Status == campaign.Finished && !b.json {
					s, err := c.Status()
					b.say(cmd.OutOrStdout(), "%s", s.Headline)
					return receipt, err
				}
				return receipt, nil
			})
		}),
	}
	cmd.Flags().IntVar(&ticket, "ticket", 0, "number of the ticket, for one result")
	cmd.Flags().BoolVar(&failed, "failed", false, "the measurement failed, independently of its value")
	cmd.Flags().StringVar(&arm, "candidate", "", "candidate, for one unsolicited result")
	cmd.Flags().StringVar(&id, "id", "", "unique text, for one unsolicited result")
	cmd.Flags().StringVar(&note, "note", "", "remark for the record")
	cmd.Flags().StringVar(&batch, "batch", "", "`name` of a table of unsolicited results; "+
		"their ids are NAME:LINE")
	cmd.Flags().StringVar(&replicates, "replicates", "", summedFlag)
	return cmd
}

// summedFlag describes the flag --replicates.
const summedFlag = "`column` with the number of measurements that each row summarises"

// noted prints to standard error which rows of a table were skipped or ignored.
func (b *shared) noted(cmd *cobra.Command, notes []string) {
	for _, note := range notes {
		b.say(cmd.ErrOrStderr(), "note: %s", note)
	}
}

// contents reads a file, or standard input if path is "-".
func contents(stdin io.Reader, path string) ([]byte, error) {
	var text []byte
	var err error
	if path == "-" {
		text, err = io.ReadAll(io.LimitReader(stdin, campaign.LargestSheet+1))
	} else {
		text, err = problem.ReadFile(path)
	}
	if err == nil && len(text) > campaign.LargestSheet {
		err = fmt.Errorf("%s: the file has more than %d bytes; split the table", path, campaign.LargestSheet)
	}
	return text, err
}

// single parses the result of one measurement from arguments of the form name=value.
func single(c *campaign.Campaign, a []string, failed bool) (campaign.Result, error) {
	r := campaign.Result{Failed: failed}
	if failed && len(a) == 0 {
		return r, nil
	}
	by := map[string]string{}
	for _, text := range a {
		if err := assign(by, text, "NAME=VALUE, such as yield=71.2"); err != nil {
			return r, err
		}
	}
	p, err := c.Problem()
	if err != nil {
		return r, err
	}
	return r, r.Fill(p, by)
}

// assign parses text of the form name=value, and sets by[name] to the value.
func assign(by map[string]string, text, want string) error {
	name, cell, ok := strings.Cut(text, "=")
	if name = problem.Normal(name); !ok {
		return usage("%q; expected %s", text, want)
	}
	if was, twice := by[name]; twice {
		return usage("%s is given twice, as %s and as %s; remove one", name, was, cell)
	}
	by[name] = cell
	return nil
}

func receiptText(r *campaign.Receipt) string {
	var parts []string
	for _, x := range []struct {
		n    int
		text string
	}{{r.Used, "used"}, {r.Failed, "failed"}, {r.Unused, "recorded but not used"},
		{r.Reference, "of the reference"},
		{r.Repeated, "reported before"}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.text))
		}
	}
	text := "results: " + strings.Join(parts, ", ")
	if r.Event > 0 {
		text += fmt.Sprintf(" (event %d)", r.Event)
	}
	for _, odd := range r.Odd {
		text += fmt.Sprintf("\n%s If so, run: purexp campaign undo %d, and report its results again", odd, r.Event)
	}
	return text
}

// statusJSON is the JSON output of the command status.
type statusJSON struct {
	campaign.Status
	Sure *campaign.Confidence `json:"sure,omitempty"`
}

// mostRows is the number of candidates that the command status lists without --all.
const mostRows = 60

func (b *shared) status() *cobra.Command {
	var format tableFormat
	var all, sure bool
	cmd := &cobra.Command{
		Use: "status", Short: "Show estimates, verdicts, and the guarantee of the campaign",
		Long: `Status shows the state of the campaign. The text lists at most 60 candidates: first the candidates
in the answer or the best guess, then undecided candidates. --all, JSON and CSV list all candidates.
Status also prints the smallest delta at which the current answer would be certified. This delta is
slow to compute, so with more than 1000 candidates, Status prints it only with --sure.`,
		Args: args(cobra.NoArgs),
		RunE: b.run(func(cmd *cobra.Command, _ []string) (any, error) {
			return b.open(func(c *campaign.Campaign) (any, error) {
				s := statusJSON{}
				var err error
				if s.Status, err = c.Status(); err != nil {
					return nil, err
				}
				listed := s.Status
				if !all && format == "text" {
					listed.Arms = report.Foremost(s.Arms, mostRows)
				}
				t := report.Table(&listed)
				if sure || len(s.Arms) <= report.MostSure {
					if found, ok, err := c.Sure(); err != nil {
						return nil, err
					} else if ok {
						s.Sure = &found
						t.Notes = slices.Insert(t.Notes, 1, found.String())
					}
				}
				if more := len(s.Arms) - len(listed.Arms); more > 0 {
					t.Notes = append([]string{tidy.Int(more) + " more candidates: --all"}, t.Notes...)
				}
				b.say(cmd.OutOrStdout(), "%s", format.show(t))
				return s, nil
			})
		}),
	}
	formatFlag(cmd, &format)
	cmd.Flags().BoolVar(&all, "all", false, "list all candidates")
	cmd.Flags().BoolVar(&sure, "sure", false, "print the confidence in the answer, even with many candidates (slow)")
	return cmd
}

func (b *shared) history() *cobra.Command {
	var format tableFormat
	cmd := &cobra.Command{
		Use: "history", Short: "List the events, with their authors and times",
		Args: args(cobra.NoArgs),
		RunE: b.run(func(cmd *cobra.Command, _ []string) (any, error) {
			return b.open(func(c *campaign.Campaign) (any, error) {
				list, err := c.Events(0)
				if err != nil {
					return nil, err
				}
				t := &tidy.Table{Columns: tidy.Columns("event", "at", "who", "what", "", "undone by")}
				for _, e := range list {
					var undone any
					if e.Undone > 0 {
						undone = e.Undone
					}
					t.Rows = append(t.Rows, []any{e.Seq, e.At, e.Who, e.Kind, e.Text, undone})
				}
				b.say(cmd.OutOrStdout(), "%s", format.show(t))
				return list, nil
			})
		}),
	}
	formatFlag(cmd, &format)
	return cmd
}

// changed applies a change to the campaign (sign, drop, join or undo), and then prints the new
// state of the campaign.
func (b *shared) changed(cmd *cobra.Command, done string, f func(c *campaign.Campaign) error) (any, error) {
	return b.open(func(c *campaign.Campaign) (any, error) {
		before, err := c.Status()
		if err == nil {
			err = f(c)
		}
		if err != nil {
			return nil, err
		}
		s, err := c.Status()
		b.say(cmd.OutOrStdout(), "%s (event %d). %s", done, s.Event, s.Headline)
		if before.Used > 0 && s.Used == 0 && s.Unused > before.Unused { // the method has restarted
			fmt.Fprintf(cmd.ErrOrStderr(), "Warning: none of the %d results counts any more; 'purexp campaign "+
				"status' explains the guarantee. To undo the change: purexp campaign undo %d\n", before.Used, s.Event)
		}
		return s, err
	})
}

func (b *shared) sign() *cobra.Command {
	var name, role string
	cmd := &cobra.Command{
		Use: "sign [FILE.campaign]", Short: "Sign the findings",
		Long: `Sign records the signer, the time, and what the signer saw: the headline of the status, and the hash
of the last event, which depends on the whole record. Status and report show the signature. Later
results or changes make the signature stale; sign again after them. The hashes of the record
protect a signature, but it is not a cryptographic signature. --as names the person who enters it.`,
		Example: `  purexp campaign sign coupling.campaign --name "Ada Lovelace" --role "principal investigator"`,
		Args:    args(cobra.MaximumNArgs(1)),
		RunE: b.run(func(cmd *cobra.Command, a []string) (any, error) {
			if len(a) == 1 {
				b.file = a[0]
			}
			if name == "" {
				return nil, usage("--name is missing; name the person who signs")
			}
			return b.changed(cmd, "signed by "+name, func(c *campaign.Campaign) error {
				return c.Sign(name, role, b.name())
			})
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "who signs")
	cmd.Flags().StringVar(&role, "role", "", "role of the signer, such as statistician")
	return cmd
}

func (b *shared) drop() *cobra.Command {
	var agreed campaign.Consent
	cmd := &cobra.Command{
		Use: "drop CANDIDATE", Short: "Remove a candidate that is no longer available",
		Long: `Drop removes a candidate. From then on, the answer covers only the remaining candidates.
The results of the candidate stay on record. 'campaign undo' restores it.`,
		Example: `  purexp campaign drop A07 --why "sold out"`,
		Args:    args(cobra.ExactArgs(1)),
		RunE: b.run(func(cmd *cobra.Command, a []string) (any, error) {
			return b.changed(cmd, a[0]+" is out", func(c *campaign.Campaign) error {
				return c.DropWith(a[0], agreed, b.name())
			})
		}),
	}
	consentFlags(cmd, &agreed)
	return cmd
}

func (b *shared) join() *cobra.Command {
	var agreed campaign.Consent
	cmd := &cobra.Command{
		Use: "join CANDIDATE [COLUMN=VALUE...]", Short: "Add a new candidate",
		Long: `Join adds a new candidate. Give the candidate's value in each column of the table of candidates
that the problem uses: features and known values. From then on, the answer also covers the new
candidate.`,
		Example: "  purexp campaign join D19\n  purexp campaign join D19 price=12.5 ring=phenyl",
		Args:    args(cobra.MinimumNArgs(1)),
		RunE: b.run(func(cmd *cobra.Command, a []string) (any, error) {
			n := problem.Candidate{Name: a[0]}
			for _, text := range a[1:] {
				if n.Columns == nil {
					n.Columns = map[string]string{}
				}
				if err := assign(n.Columns, text, "COLUMN=VALUE"); err != nil {
					return nil, err
				}
			}
			return b.changed(cmd, a[0]+" is in", func(c *campaign.Campaign) error {
				return c.JoinWith(n, agreed, b.name())
			})
		}),
	}
	consentFlags(cmd, &agreed)
	return cmd
}

// consentFlags adds the flags --why and --by, which all changes share; --reason is an alias of
// --why.
func consentFlags(cmd *cobra.Command, agreed *campaign.Consent) {
	f := cmd.Flags()
	f.StringVar(&agreed.Why, "why", "", "reason, for the record")
	f.StringVar(&agreed.Why, "reason", "", "the same as --why")
	f.StringVar(&agreed.By, "by", "", "a second `person` who agrees; after the end, a frozen protocol requires a "+
		"second person and a reason")
}

func (b *shared) undo() *cobra.Command {
	var agreed campaign.Consent
	cmd := &cobra.Command{
		Use: "undo EVENT", Short: "Undo an event; it stays on record",
		Long: `Undo cancels the effect of event number EVENT (see 'purexp campaign history'). For example, you
can undo a report of wrong results and then report the right results, or undo a drop or an undo.`,
		Example: `  purexp campaign undo 17 --why "plates were swapped"`,
		Args:    args(cobra.ExactArgs(1)),
		RunE: b.run(func(cmd *cobra.Command, a []string) (any, error) {
			event, err := strconv.Atoi(a[0])
			if err != nil {
				return nil, usage("%q is not the number of an event; see 'purexp campaign history'", a[0])
			}
			return b.changed(cmd, fmt.Sprintf("event %d is undone", event),
				func(c *campaign.Campaign) error { return c.UndoWith(event, agreed, b.name()) })
		}),
	}
	consentFlags(cmd, &agreed)
	return cmd
}
