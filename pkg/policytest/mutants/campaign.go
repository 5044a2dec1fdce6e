package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// A campaign plants many faults, several at a time.
type campaign struct {
	planter
	jobs     int
	out      string    // file of results
	progress io.Writer // a line for each fault
	table    io.Writer
}

// run plants the faults, prints the table, and returns an error if one survives or cannot be
// planted. With resume it keeps what the file of results says of faults that died.
func (c *campaign) run(ctx context.Context, faults []*fault, resume bool) error {
	known := map[string]result{}
	if resume {
		var err error
		if known, err = load(c.out); err != nil {
			return err
		}
	}
	results := make([]result, len(faults)) // without an outcome: not planted yet
	var todo []int
	for i, f := range faults {
		k, err := key(c.root, f)
		if err != nil {
			return err
		}
		results[i] = result{Fault: f.name, Package: f.pkg(), File: f.file, Key: k}
		if r, ok := known[k]; ok && r.Outcome != survived {
			results[i] = r
			continue
		}
		todo = append(todo, i)
	}
	if n := len(faults) - len(todo); n > 0 {
		fmt.Fprintf(c.progress, "%d died before, see %s\n", n, c.out)
	}
	unsound, err := c.check(ctx, faults, todo)
	if err != nil {
		return err
	}
	var broken []error
	for _, s := range slices.Sorted(maps.Keys(unsound)) {
		broken = append(broken, unsound[s])
	}
	todo = slices.DeleteFunc(todo, func(i int) bool {
		return slices.ContainsFunc(faults[i].tests, func(s suite) bool {
			return unsound[s.String()] != nil
		})
	})
	n := 0
	err = c.each(len(todo), func(i int, lock sync.Locker) error {
		i = todo[i]
		found, err := c.plant(ctx, faults[i])
		lock.Lock()
		defer lock.Unlock()
		n++
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			broken = append(broken, err)
			fmt.Fprintf(c.progress, "%d/%d BROKEN %v\n", n, len(todo), err)
			return nil
		}
		r := &results[i]
		r.Outcome, r.Tests = found.outcome, found.tests
		r.Seconds = found.cpu.Round(10 * time.Millisecond).Seconds()
		word := string(r.Outcome)
		if r.Outcome != died {
			word = strings.ToUpper(word)
		}
		fmt.Fprintf(c.progress, "%d/%d %s %.1fs %s: %s: %s\n",
			n, len(todo), word, r.Seconds, r.Package, r.Fault, strings.Join(r.Tests, " "))
		return save(c.out, results)
	})
	report(c.table, results)
	if err == nil {
		err = errors.Join(broken...)
	}
	if s := count(results, survived); err == nil && s > 0 {
		err = fmt.Errorf("%d faults survive", s)
	}
	return err
}

// check runs each suite of the faults to be planted without them, and returns those that do not
// pass. Their faults cannot be planted, all others can.
func (c *campaign) check(ctx context.Context, faults []*fault,
	todo []int) (unsound map[string]error, err error) {
	var suites []suite
	seen := map[string]bool{}
	for _, i := range todo {
		for _, s := range faults[i].tests {
			if !seen[s.String()] {
				seen[s.String()] = true
				suites = append(suites, s)
			}
		}
	}
	fmt.Fprintf(c.progress, "%d faults; first their %d suites without a fault\n", len(todo),
		len(suites))
	unsound = map[string]error{}
	n := 0
	err = c.each(len(suites), func(i int, lock sync.Locker) error {
		err := c.sound(ctx, suites[i])
		lock.Lock()
		defer lock.Unlock()
		n++
		if err != nil {
			unsound[suites[i].String()] = err
			fmt.Fprintf(c.progress, "%d/%d BROKEN %v\n", n, len(suites), err)
		} else {
			fmt.Fprintf(c.progress, "%d/%d passes without a fault: go test %s\n", n, len(suites),
				suites[i])
		}
		return ctx.Err()
	})
	return unsound, err
}

// each calls work for 0 to n-1, a few at a time, until one returns an error, which is the result.
func (c *campaign) each(n int, work func(i int, lock sync.Locker) error) error {
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := 0
	var first error
	for range c.jobs {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				stop := first != nil || i >= n
				mu.Unlock()
				if stop {
					return
				}
				if err := work(i, &mu); err != nil {
					mu.Lock()
					first = errors.Join(first, err)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return first
}
