package main

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/published"
	"github.com/purexp/purexp/pkg/tidy"
)

// load reads row files of one study, or the published rows of a study.
func load(cmd *cobra.Command, args []string) ([]mc.Row, study.Study, error) {
	if len(args) == 1 {
		if _, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) {
			if s, err := named(args[0]); err == nil {
				rows, err := loadPublished(s)
				return rows, s, err
			}
		}
	}
	rows, h, err := mc.Read(args...)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, study.Study{}, fmt.Errorf("%w, and no study has this name; see 'purexp list studies'", err)
	}
	if err != nil {
		return nil, study.Study{}, err
	}
	for _, w := range h.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "purexp: warning:", w)
	}
	if h.Code != mc.Code() {
		fmt.Fprintf(cmd.ErrOrStderr(), "purexp: note: version %q of the code wrote these rows; this program is "+
			"version %q\n", h.Code, mc.Code())
	}
	if len(rows) == 0 {
		return nil, study.Study{},
			fmt.Errorf("%s: no rows yet; continue with 'purexp run %s --resume'", strings.Join(args, ", "), h.Study)
	}
	s, err := named(h.Study)
	return rows, s, err
}

// loadPublished reads the published rows of an experiment, or of all experiments of a paper.
func loadPublished(s study.Study) ([]mc.Row, error) {
	es, err := experiments([]string{s.Name})
	if err != nil {
		return nil, err
	}
	var all []mc.Row
	for _, e := range es {
		rows, _, err := published.Read(e)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// formats are the formats of tables other than text.
var formats = map[tableFormat]func(*tidy.Table) string{
	"json": (*tidy.Table).JSON, "markdown": (*tidy.Table).Markdown, "html": (*tidy.Table).HTML,
	"csv": (*tidy.Table).CSV,
}

// tableFormat is the format of printed tables: "text" or a key of formats.
type tableFormat string

// formatFlag adds the flag --format, and checks its value before the command runs.
func formatFlag(cmd *cobra.Command, format *tableFormat) {
	cmd.Flags().StringVar((*string)(format), "format", "text", "`form` of tables: text, csv, json, markdown or html")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *format != "text" && formats[*format] == nil {
			return usage("--format is %q; expected text, csv, json, markdown or html", *format)
		}
		return nil
	}
}

func (f tableFormat) show(t *tidy.Table) string {
	if f == "text" {
		return t.Fit(screen())
	}
	return formats[f](t)
}

// screen returns the width of the output in characters: COLUMNS, the width of the terminal, or 100.
func screen() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && n > 0 {
		return n
	}
	return 100
}

func newReport() *cobra.Command {
	var output string
	var format tableFormat
	cmd := &cobra.Command{
		Use:   "report FILE... | STUDY",
		Short: "Show the tables of a study, and write its figures",
		Long: `Report reads the row files of one study, or of its shards, or the published rows of a study (in
the folder results). It prints the study's tables, with intervals. With --output, it writes a
folder: the page index.html with all tables and figures, tables as CSV and HTML, and figures as
PNG and SVG.`,
		Example: `  purexp report ecape.jsonl
  purexp report rage/benchmark                            # published rows
  purexp report ecape-1.jsonl ecape-2.jsonl --format markdown
  purexp report ecape.jsonl --output report`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			rows, s, err := load(cmd, a)
			if err != nil {
				return err
			}
			tables, err := s.Tables(rows)
			if err != nil {
				return err
			}
			tables = append(tables, study.Judge(s.Claims(), rows))
			if output != "" {
				return write(cmd, s, rows, tables, output)
			}
			for _, t := range tables {
				fmt.Fprintln(cmd.OutOrStdout(), format.show(t))
			}
			return nil
		},
	}
	formatFlag(cmd, &format)
	cmd.Flags().StringVar(&output, "output", "", "write a page, tables and figures into this `folder`")
	return cmd
}

// written is a table or a figure to write, with the base name and the extensions of its files.
type written struct {
	name    string
	endings []string
	write   func(path string) error
}

// table converts a table, and picture converts a figure, to a value of type written with the
// matching file extensions.
func table(name string, t *tidy.Table) written {
	return written{name, []string{".csv", ".html"}, t.WriteFile}
}

func picture(name string, f study.Drawing) written {
	return written{name, []string{".png", ".svg"}, f.WriteFile}
}

// writeAll writes files into a folder, and passes each path to say.
func writeAll(folder string, say func(path string), files []written) error {
	err := os.MkdirAll(folder, 0o777)
	for _, f := range files {
		for _, ending := range f.endings {
			path := filepath.Join(folder, f.name+ending)
			if e := f.write(path); e != nil {
				err = errors.Join(err, fmt.Errorf("%s: %w", path, e))
				continue
			}
			say(path)
		}
	}
	return err
}

//go:embed report.html
var reportText string

var reportPage = template.Must(template.New("report").Parse(reportText))

// part is an element of a report: a figure or, if Image is empty, a table.
type part struct {
	ID, Title, Alt string
	Image          template.URL
	Table          template.HTML
	Rows           int // number of rows, if the table is shown collapsed
}

// write writes tables and figures of a study into a folder, with a page that shows all of them.
func write(cmd *cobra.Command, s study.Study, rows []mc.Row, tables []*tidy.Table, folder string) error {
	var files []written
	var parts []part
	taken := map[string]int{"index": 1}
	figures, err := s.Figures(rows)
	for _, f := range figures {
		p := part{ID: unique(taken, f.Name), Title: strings.ReplaceAll(f.Name, "-", " ")}
		files = append(files, picture(p.ID, f.Drawing))
		if d, ok := f.Drawing.(*fig.Figure); ok {
			var svg bytes.Buffer
			err = errors.Join(err, d.SVG(&svg))
			p.Alt = d.Alt()
			p.Image = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg.Bytes()))
			parts = append(parts, p)
		}
	}
	for _, t := range slices.Backward(tables) { // put the tables of verdicts first
		p := part{ID: unique(taken, slug(t.Title)), Title: t.Title, Table: template.HTML(t.HTML())} // escaped
		if files = append(files, table(p.ID, t)); len(t.Rows) > 15 {
			p.Rows = len(t.Rows)
		}
		parts = append(parts, p)
	}
	files = append(files, written{"index", []string{".html"}, func(path string) error {
		var page bytes.Buffer
		if err := reportPage.Execute(&page, map[string]any{"Title": s.Title, "Source": s.Paper,
			"Rows": tidy.Int(len(rows)), "Code": version(), "Parts": parts}); err != nil {
			return err
		}
		return os.WriteFile(path, page.Bytes(), 0o666)
	}})
	return errors.Join(err, writeAll(folder, func(path string) { fmt.Fprintln(cmd.OutOrStdout(), path) }, files))
}

// unique returns name, with a number appended if another part already has that name; two
// experiments may share a title.
func unique(taken map[string]int, name string) string {
	for {
		taken[name]++
		if taken[name] == 1 {
			return name
		}
		name = fmt.Sprintf("%s-%d", name, taken[name])
	}
}

// slug converts a title to a file name.
func slug(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}

func newClaims() *cobra.Command {
	var format tableFormat
	cmd := &cobra.Command{
		Use: "claims FILE... | STUDY", Short: "Show the claims of a paper, with verdicts based on the rows",
		Example: "  purexp claims ecape.jsonl\n  purexp claims ecape.jsonl --format markdown\n" +
			"  purexp claims ecape     # published rows",
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			rows, s, err := load(cmd, a)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), format.show(study.Judge(s.Claims(), rows)))
			return nil
		},
	}
	formatFlag(cmd, &format)
	return cmd
}
