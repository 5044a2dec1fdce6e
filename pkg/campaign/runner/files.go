package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Files exchanges files with the laboratory: it writes worksheets such as plate-7.csv into a
// folder, and reads results from files such as plate-7.results.csv. A command, executed once for
// each plate, makes the measurements; without a command, a person makes them.
type Files struct {
	// Folder is the folder of the files, created if necessary.
	Folder string
	// Command is executed once for each plate and is not retried. If Command.Template is nil, no
	// command is executed, and Run waits for files with results. The placeholders of the command
	// are {sheet} and {results} (paths) and {plate} (a number).
	Command Command
	// Size is the number of measurements of a plate.
	Size int
	// As is the name under which Run requests and reports measurements.
	As string
	// Every is the time between two checks for results; zero means two seconds.
	Every time.Duration
	// Wait has the same role as Settings.Wait; it may be nil.
	Wait func(pending []campaign.Ticket)
	// If Report is not nil, Run calls it with messages about progress.
	Report func(string)
}

// The following constants are the placeholders in commands that measure a plate.
const (
	placeSheet   = "sheet"
	placeResults = "results"
)

// Run requests plates and reports their results. Run ends if the campaign has ended, or if ctx is
// cancelled. If Wait is nil, Run also ends when other people must report first. To resume, call Run
// again under the same name: it starts with pending tickets and with existing results. If rows lack
// results, Run repeats the measurements with the command, or waits until a person fills in the
// rows. If a file from a person has errors, Run reports the errors and waits for the next version
// of the file. If a command fails or its file has errors, Run ends.
func (f *Files) Run(ctx context.Context, c *campaign.Campaign) (sum Summary, err error) {
	if t := f.Command.Template; t != nil {
		for _, name := range t.names {
			if !slices.Contains([]string{placeSheet, placeResults, placePlate}, name) {
				return sum, fmt.Errorf("runner: {%s}: %w; expected {sheet}, {results} or {plate}", name, ErrPlaceholder)
			}
		}
	}
	if f.Folder, err = filepath.Abs(f.Folder); err != nil {
		return sum, err
	}
	if err := os.MkdirAll(f.Folder, 0o777); err != nil {
		return sum, err
	}
	seen := map[string]stamp{} // for each path, the version of the command's results that was last reported
	for {
		s, err := c.Status()
		if err != nil {
			return sum, err
		}
		if sum.Finished = s.Over(); sum.Finished {
			sum.Waiting = false // after the end of the campaign, nothing is pending
			return sum, nil
		}
		tickets, err := f.pending(c)
		if err != nil {
			return sum, err
		}
		if len(tickets) == 0 {
			if tickets, err = c.Ask(f.Size, f.As); err != nil {
				return sum, err
			}
		}
		if len(tickets) == 0 {
			if sum.Waiting = s.Status == campaign.Running; sum.Waiting && f.Wait != nil {
				if more, err := outlast(ctx, c, f.Wait); more || err != nil {
					if err != nil {
						return sum, err
					}
					continue
				}
			}
			return sum, nil
		}
		sum.Waiting = false
		if err := f.plate(ctx, c, tickets, seen, &sum); err != nil {
			return sum, err
		}
	}
}

// pending returns the pending tickets of f.As on the first plate that has such tickets.
func (f *Files) pending(c *campaign.Campaign) ([]campaign.Ticket, error) {
	list, err := c.Tickets(campaign.Pending)
	list = slices.DeleteFunc(list, func(t campaign.Ticket) bool { return t.Who != f.As })
	if len(list) > 0 {
		first := list[0].Plate
		list = slices.DeleteFunc(list, func(t campaign.Ticket) bool { return t.Plate != first })
	}
	return list, err
}

// plate lets the command or a person measure the tickets of one plate, and reports the available
// results.
func (f *Files) plate(ctx context.Context, c *campaign.Campaign, tickets []campaign.Ticket,
	seen map[string]stamp, sum *Summary) error {
	name := filepath.Join(f.Folder, fmt.Sprintf("plate-%d", tickets[0].Plate))
	sheet, results := name+".csv", name+".results.csv"
	if err := f.write(c, sheet, tickets); err != nil {
		return err
	}
	say := func(format string, args ...any) {
		if f.Report != nil {
			f.Report(fmt.Sprintf(format, args...))
		}
	}
	say("plate %d: %d measurements, %s", tickets[0].Plate, len(tickets), sheet)
	executed := false
	// An interrupted run may have left a file of results, complete or incomplete.
	for was := seen[results]; ; {
		now, err := look(results)
		if err != nil {
			return err
		}
		if f.Command.Template != nil && !executed && (now == stamp{} || now == was) {
			executed = true
			if err := f.execute(ctx, sheet, results, tickets[0].Plate); err != nil {
				return err
			}
			was = stamp{}
			continue
		}
		if executed && now == (stamp{}) {
			return fmt.Errorf("runner: the command ended without writing %s; correct the command", results)
		}
		// The file is read only if it did not change between two checks, because a program may
		// still be writing it.
		settled := now != stamp{} && now != was
		if settled && !executed {
			if err := f.wait(ctx); err != nil {
				return err
			}
			again, err := look(results)
			if err != nil {
				return err
			}
			settled = again == now
		}
		if settled {
			was = now
			data, err := problem.ReadFile(results)
			if err != nil {
				return err
			}
			receipt, err := c.TellSheet(results, data, f.As)
			if err != nil && (executed || !errors.Is(err, campaign.ErrInput) && !errors.Is(err, campaign.ErrConflict)) {
				return fmt.Errorf("runner: the campaign rejected the results: %w", err)
			}
			if err != nil {
				say("%v", err)
				continue
			}
			fresh := receipt.Used + receipt.Unused + receipt.Failed + receipt.Reference
			if fresh == 0 && executed {
				return fmt.Errorf("runner: the command ended, but %s has no new results; correct the command", results)
			}
			say("plate %d: %d used, %d failed", tickets[0].Plate, receipt.Used, receipt.Failed)
			for _, note := range receipt.Notes {
				say("%s", note)
			}
			sum.Made += fresh
			sum.Failed += receipt.Failed
			if executed {
				seen[results] = now
				return nil
			}
		}
		// The remaining tickets may have been reported in another way, or withdrawn.
		if left, err := f.pending(c); err != nil || len(left) == 0 || left[0].Plate != tickets[0].Plate {
			return err
		}
		if err := f.wait(ctx); err != nil {
			return err
		}
	}
}

// write writes the worksheet of tickets to path, atomically.
func (f *Files) write(c *campaign.Campaign, path string, tickets []campaign.Ticket) error {
	out, err := os.CreateTemp(f.Folder, ".plate-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // fails harmlessly if the file has been renamed
	err = errors.Join(out.Chmod(0o644), c.WriteSheet(out, tickets), out.Close())
	if err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}

func (f *Files) execute(ctx context.Context, sheet, results string, plate int) error {
	words := f.Command.Template.Words(Job{Plate: plate,
		Columns: map[string]string{placeSheet: sheet, placeResults: results}})
	_, err := f.Command.execute(ctx, words, []string{"PUREXP_SHEET=" + sheet,
		"PUREXP_RESULTS=" + results, fmt.Sprint("PUREXP_PLATE=", plate)})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("runner: plate %d: %w", plate, err)
	}
	return ctx.Err() // an interrupted command did not exceed its time limit
}

// wait sleeps until the next check for results.
func (f *Files) wait(ctx context.Context) error {
	every := cmp.Or(f.Every, 2*time.Second)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(every):
		return nil
	}
}

// stamp identifies a version of a file by its modification time and size.
type stamp struct {
	size int64
	at   int64
}

// look returns the stamp of a file, or the zero stamp if the file is missing or empty.
func look(path string) (stamp, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return stamp{}, nil
	}
	if err != nil {
		return stamp{}, err
	}
	return stamp{info.Size(), info.ModTime().UnixNano()}, nil
}
