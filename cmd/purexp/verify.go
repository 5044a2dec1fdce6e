package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/study/published"
	"github.com/purexp/purexp/pkg/tidy"
)

func newVerify() *cobra.Command {
	var all, quiet bool
	var share string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "verify [STUDY]...",
		Short: "Simulate a sample of the published rows again, and compare",
		Long: `Verify simulates a random sample of the published rows again and compares the rows byte for byte.
The sample has at least one run of each method of each experiment. Long runs are drawn less often,
so 1 % takes only about half a minute. If purexp was installed with 'go install', verify first
downloads the rows (23 MB). Verify also checks that the files match the current definitions of the
experiments. On processors other than amd64 a few rows may differ by rounding.`,
		Example: `  purexp verify                     # 1 % of all
  purexp verify rage --share 5%
  purexp verify gege/noc-budget --all`,
		RunE: func(cmd *cobra.Command, a []string) error {
			part, err := shareOf(share)
			if err != nil {
				return err
			}
			if all && cmd.Flags().Changed("share") {
				return usage("--all and --share exclude one another; leave out one")
			}
			if all {
				part = 1
			}
			es, err := experiments(a)
			if err != nil {
				return err
			}
			var missing published.NotDownloaded
			if _, err := published.Folder(); errors.As(err, &missing) {
				get := exec.CommandContext(cmd.Context(), "go", "mod", "download", missing.Module)
				get.Stdout, get.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
				if err := get.Run(); err != nil {
					return fmt.Errorf("%w; %w", err, missing)
				}
			}
			seed = cmp.Or(seed, rand.Uint64N(1e6)+1)
			return verify(cmd, es, published.Sample{Share: part, Seed: seed}, quiet)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&all, "all", false, "compare all rows, not a sample (70 minutes of processor time)")
	f.StringVar(&share, "share", "1%", "`share` of the rows of each method; at least one row per method")
	f.Uint64Var(&seed, "seed", 0, "seed of the sample (default: random)")
	f.BoolVar(&quiet, "quiet", false, "show no progress")
	return cmd
}

// shareOf parses the fraction of rows to verify, such as "1%" or "0.01".
func shareOf(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v <= 1) {
		return 0, usage("--share is %q; expected a percentage such as 1%%, above 0 and at most 100%%", text)
	}
	return v, nil
}

// experiments returns the studies of the experiments with the given names. The name of a paper
// selects all of its experiments. Without names, the arena and all experiments are selected.
func experiments(names []string) (es []study.Study, err error) {
	for _, name := range names {
		if _, err := named(name); err != nil {
			return nil, err
		}
	}
	found := map[string]bool{}
	for _, s := range studies {
		paper, _, experiment := strings.Cut(s.Name, "/")
		ofPaper := slices.ContainsFunc(papers.All(), func(p study.Paper) bool {
			return p.Name == paper
		})
		if ofPaper != experiment { // all questions of the arena share one file of rows
			continue
		}
		if len(names) == 0 || slices.Contains(names, paper) || slices.Contains(names, s.Name) {
			es = append(es, s)
			found[paper], found[s.Name] = true, true
		}
	}
	for _, name := range names {
		if !found[name] {
			whole, _, _ := strings.Cut(name, "/")
			return nil, usage("%s: the published rows of this experiment are in the file of %[2]s; name %[2]s "+
				"instead", name, whole)
		}
	}
	return es, nil
}

// verify compares samples of the published rows of experiments with newly simulated rows. verify
// continues after rows that differ and after unreadable files.
func verify(cmd *cobra.Command, es []study.Study, o published.Sample, quiet bool) error {
	out := cmd.OutOrStdout()
	start, compared, all, bad := time.Now(), 0, 0, 0
	for _, s := range es {
		if o.Progress = nil; !quiet {
			o.Progress = progress(cmd.ErrOrStderr(), s.Name)
		}
		began := time.Now()
		n, rows, err := published.Verify(cmd.Context(), s, o)
		compared, all = compared+n, all+rows
		if cmd.Context().Err() != nil {
			return fmt.Errorf("interrupted after %s of %s published rows; until then, %d of %d experiments differed "+
				"from this code: %w", tidy.Int(compared), tidy.Int(all), bad, len(es), context.Canceled)
		}
		if err != nil {
			bad++
			fmt.Fprintln(cmd.ErrOrStderr(), "purexp:", err)
			continue
		}
		fmt.Fprintf(out, "%s: compared %s of %s rows; all are the same (%.1f s)\n", s.Name, tidy.Int(n),
			tidy.Int(rows), time.Since(began).Seconds())
	}
	fmt.Fprintf(out, "compared %s of %s published rows, drawn with --seed %d, in %v\n",
		tidy.Int(compared), tidy.Int(all), o.Seed, time.Since(start).Round(time.Second))
	if bad > 0 {
		return fmt.Errorf("the published rows of %d of %d experiments cannot be read, or differ from "+
			"the rows that this code simulates", bad, len(es))
	}
	return nil
}

func newReproduce() *cobra.Command {
	var (
		output string
		adopt  bool
	)
	cmd := &cobra.Command{
		Use: "reproduce [STUDY]...", Short: "Simulate published experiments again, in full",
		Long: `Reproduce simulates experiments with the paper's number of replicates and compares their
rows with the published ones. Without arguments, it simulates all experiments. You can
interrupt it at any time and continue with the same command. With --publish, rows that
differ replace the published ones.`,
		Example: `  purexp reproduce                    # all, 70 minutes on one processor
  purexp reproduce gege/noc-budget
  purexp reproduce ecape --publish`,
		RunE: func(cmd *cobra.Command, a []string) error {
			es, err := experiments(a)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(output, 0o777); err != nil {
				return err
			}
			for _, s := range es {
				if err := reproduce(cmd, s, output, adopt); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&output, "output", filepath.Join("build", "reproduced"),
		"`folder` for the files of rows")
	cmd.Flags().BoolVar(&adopt, "publish", false, "replace published rows that differ")
	return cmd
}

// reproduce simulates an experiment and writes its rows to a file in folder. Without adopt, reproduce
// then compares the rows with the published rows; with adopt, it publishes the new rows.
func reproduce(cmd *cobra.Command, s study.Study, folder string, adopt bool) error {
	g, err := s.Grid(study.Options{})
	if err != nil {
		return err
	}
	g.Progress = progress(cmd.ErrOrStderr(), s.Name)
	file := filepath.Join(folder, s.FileName()+".jsonl")
	if err := g.Stream(cmd.Context(), file); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	same, err := published.Same(s, file)
	switch {
	case err != nil && !errors.Is(err, published.ErrNone):
		return err
	case err == nil && same:
		fmt.Fprintf(out, "%s: the rows are the same as the published rows\n", s.Name)
		return nil
	case !adopt && err != nil:
		fmt.Fprintf(out, "%s: wrote %s; there are no published rows for a comparison\n", s.Name, file)
		return nil
	case !adopt:
		return fmt.Errorf("%s: the rows in %s differ from the published rows; use --publish to replace the published "+
			"rows", s.Name, file)
	}
	path, err := published.Path(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := mc.Pack(file, path); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: published in %s\n", s.Name, path)
	return nil
}
