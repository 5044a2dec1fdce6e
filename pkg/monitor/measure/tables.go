package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/monitor"
	"github.com/purexp/purexp/pkg/seed"
)

// measurements lists all cells.
func measurements() (list []measurement) {
	for _, d := range []design{topTwo, eCAPE, linGapE} {
		for _, law := range []noise{gaussian, uniform, bernoulli, binomial} {
			list = append(list, falseAlarms(d, law))
		}
	}
	faults := []struct {
		name   string
		change func(w *world)
		kinds  []monitor.Kind // that are right
	}{
		{"sd 1.5 times", noisier(1.5), anyNoise},
		{"sd 2 times", noisier(2), anyNoise},
		{"sd 10 times", noisier(10), anyNoise},
		{"misfit of .5 sd on 12 arms", misfits(.5, 12), anyMisfit},
		{"misfit of 1 sd on 12 arms", misfits(1, 12), anyMisfit},
		{"misfit of 2 sd on 12 arms", misfits(2, 12), anyMisfit},
		{"drift of .1 sd a plate", func(w *world) { w.drift = .1 },
			[]monitor.Kind{monitor.Drift, monitor.Plates}},
		{"plates of sd .5", func(w *world) { w.plate = .5 }, []monitor.Kind{monitor.Plates}},
	}
	for _, f := range faults {
		for _, s := range []struct {
			d      design
			k      int
			linear bool
		}{{turns, 16, false}, {topTwo, 16, false}, {turns, 64, false}, {turns, 64, true},
			{linGapE, 64, true}} {
			misfit := f.kinds[0] == monitor.Misfit
			if misfit && !s.linear {
				continue
			}
			list = append(list, untilAlarm(f.name, f.change, f.kinds, s.d, s.k, s.linear))
		}
	}
	for _, f := range []struct {
		name   string
		change func(w *world)
	}{
		{"nothing is wrong", func(*world) {}},
		{"misfit of .5 sd on 12 arms", misfits(.5, 12)},
		{"misfit of 1 sd on 12 arms", misfits(1, 12)},
		{"misfit of 2 sd on 12 arms", misfits(2, 12)},
		{"misfit of .5 sd on all arms", misfits(.5, 64)},
		{"misfit of 1 sd on all arms", misfits(1, 64)},
		{"misfit of 2 sd on all arms", misfits(2, 64)},
		{"sd 2 times", noisier(2)},
		{"sd 4 times", noisier(4)},
		{"sd 10 times", noisier(10)},
		{"sd 10 times, effects 5 times", func(w *world) {
			w.ratio = 10
			w.means.Scale(5, w.means)
		}},
	} {
		for _, d := range []design{linGapE, betting} {
			list = append(list, prevented(d, f.name, f.change))
		}
	}
	return append(list, slips())
}

var (
	anyNoise  = []monitor.Kind{monitor.Noise, monitor.ArmNoise, monitor.Scatter}
	anyMisfit = []monitor.Kind{monitor.Misfit, monitor.Scatter}
)

func noisier(ratio float64) func(w *world) { return func(w *world) { w.ratio = ratio } }

// misfits moves the means of some arms, chosen at random, by the same amount up or down.
func misfits(sd float64, arms int) func(w *world) {
	return func(w *world) {
		k, _ := w.means.Dims()
		for _, i := range w.rnd.Perm(k)[:arms] {
			w.means.Set(i, 0, w.means.At(i, 0)+sd*float64(2*w.rnd.IntN(2)-1))
		}
	}
}

// falseAlarms follows campaigns in which all that is declared is true.
func falseAlarms(d design, law noise) measurement {
	const k, most = 16, 300
	return measurement{"false alarms", fmt.Sprintf("%s, %s", d, law), 2000,
		func(c *cell, root seed.Seed) error {
			var at20, at100, odd, results float64
			for rep := range c.campaigns {
				w, n, m, err := d.begin(k, d == linGapE, law, 1e-3, root.Child(rep))
				if err != nil {
					return err
				}
				f, err := w.run(m, n, most, false)
				if err != nil {
					return err
				}
				at20 += count(f.warned > 0)
				at100 += count(f.alarm > 0)
				odd += float64(f.odd)
				results += float64(f.results)
			}
			c.add("at 20", at20)
			c.add("at 100", at100)
			c.add("odd of 10000", 1e4*odd/results)
			c.add("mean results", results/float64(c.campaigns))
			return nil
		}}
}

// untilAlarm follows campaigns in which something is wrong until the alarm.
func untilAlarm(fault string, change func(w *world), right []monitor.Kind, d design, k int,
	linear bool) measurement {
	const most = 1500
	model := ""
	if linear {
		model = ", linear"
	}
	name := fmt.Sprintf("%s: %s, %d arms%s", fault, d, k, model)
	return measurement{"results until alarm", name, 200,
		func(c *cell, root seed.Seed) error {
			var alarms []float64
			named := 0.
			for rep := range c.campaigns {
				w, n, m, err := d.begin(k, linear, gaussian, 1e-30, root.Child(rep))
				if err != nil {
					return err
				}
				change(w)
				f, err := w.run(m, n, most, true)
				if err != nil {
					return err
				}
				at := math.Inf(1)
				if f.alarm > 0 {
					at = float64(f.alarm)
					named += count(slices.Contains(right, f.kind))
				}
				alarms = append(alarms, at)
			}
			slices.Sort(alarms)
			found := 0.
			for _, at := range alarms {
				found += count(!math.IsInf(at, 1))
			}
			c.add("median", alarms[(len(alarms)-1)/2])
			c.add("90 %", alarms[len(alarms)*9/10])
			c.add("found", found)
			c.add("named", named)
			return nil
		}}
}

// prevented follows linear campaigns to their certificate, and confirms it.
func prevented(d design, fault string, change func(w *world)) measurement {
	name := fmt.Sprintf("%s: %s", d, fault)
	return measurement{"wrong certificates", name, 200, func(c *cell, root seed.Seed) error {
		var certified, results, wrong, caught, needless float64
		var confirmed [len(extras)]struct{ caught, needless float64 }
		for rep := range c.campaigns {
			w, n, m, err := d.begin(64, true, gaussian, .05, root.Child(rep))
			if err != nil {
				return err
			}
			w.spread()
			change(w)
			f, err := w.run(m, n, 3000, false)
			if err != nil {
				return err
			}
			if !f.finished {
				continue
			}
			certified++
			results += float64(f.results)
			chosen, rivals := w.finalists()
			isWrong := w.means.At(chosen, 0) < floats.Max(w.means.RawMatrix().Data)
			wrong += count(isWrong)
			caught += count(isWrong && f.alarm > 0)
			needless += count(!isWrong && f.alarm > 0)
			withdrawn := [len(extras)]bool{true, true, true}
			if f.alarm == 0 {
				if withdrawn, err = w.confirm(m, chosen, rivals); err != nil {
					return err
				}
			}
			for i, x := range withdrawn {
				confirmed[i].caught += count(isWrong && x)
				confirmed[i].needless += count(!isWrong && x)
			}
		}
		c.add("certified", certified)
		c.add("mean results", results/certified)
		c.add("wrong", wrong)
		c.add("wrong, withdrawn", caught)
		c.add("right", certified-wrong)
		c.add("right, withdrawn", needless)
		for i, x := range extras {
			c.add("wrong, withdrawn with "+x, confirmed[i].caught)
			c.add("right, withdrawn with "+x, confirmed[i].needless)
		}
		return nil
	}}
}

func count(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// slips follows campaigns in which one result has its point in the wrong place.
func slips() measurement {
	return measurement{"slips", "7.8 for 78", 200, func(c *cell, root seed.Seed) error {
		var asked, warned, withdrawn, at float64
		for rep := range c.campaigns {
			w, n, m, err := topTwo.begin(16, false, gaussian, 1e-30, root.Child(rep))
			if err != nil {
				return err
			}
			w.means.Apply(func(_, _ int, mean float64) float64 { return 37.5 + 5*mean }, w.means)
			w.slip = 1 + w.rnd.IntN(150)
			f, err := w.run(m, n, 300, false)
			if err != nil {
				return err
			}
			asked += count(f.asked)
			warned += count(f.warned > 0)
			withdrawn += count(f.alarm > 0)
			at += float64(max(f.alarm-w.slip, 0))
		}
		c.add("asked before it is taken", asked)
		c.add("warned if it is", warned)
		c.add("withdrawn if it is", withdrawn)
		c.add("mean results from slip to alarm", at/max(withdrawn, 1))
		return nil
	}}
}
