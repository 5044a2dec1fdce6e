package web

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/tidy"
)

// forecastTime is how long a person waits for a forecast, and forecastRuns how many ends of the
// campaign are simulated for it.
const (
	forecastTime = 20 * time.Second
	forecastRuns = 60
)

// Forecast simulates what is left, see [plan.Remaining].
func (b *engine) Forecast(ctx context.Context) (Forecast, error) {
	s, err := b.Status()
	if err != nil {
		return Forecast{}, err
	}
	f := Forecast{Event: s.Event}
	if s.Status != campaign.Running {
		f.Text = "Nothing is left to measure: " + s.Headline
		return f, nil
	}
	if n := s.Confirming; n > 0 {
		f.Text = fmt.Sprintf("The method has its answer. %d measurements that confirm it are left.", n)
		if n == 1 {
			f.Text = "The method has its answer. One measurement that confirms it is left."
		}
		return f, nil
	}
	p, err := b.Problem()
	if err != nil {
		return f, err
	}
	compiled, err := p.Compile()
	if err != nil {
		return f, err
	}
	told, err := b.Rewards()
	if err != nil {
		return f, err
	}
	within, cancel := context.WithTimeout(ctx, forecastTime)
	defer cancel()
	left, err := plan.Remaining(within, compiled, told,
		&plan.Options{Runs: forecastRuns})
	if err != nil {
		return f, fmt.Errorf("the forecast: %w", err)
	}
	f.Forecast, f.Text = *left, forecastWords(left)
	return f, nil
}

// forecastWords puts a forecast into words.
func forecastWords(f *plan.Forecast) string {
	whole := func(q plan.Quantile) string {
		text := tidy.Int(int(math.Round(q.Value)))
		if q.Open {
			text = "more than " + text
		}
		return text
	}
	m := f.Measurements
	text := fmt.Sprintf("About %s more measurements (%s plates, %.3g days) if the means are about "+
		"what they seem to be; one time in ten more than %s. The median itself is known up to %s "+
		"to %s, from %d simulated ends.", whole(m.Median), whole(f.Plates.Median),
		f.Days.Median.Value, whole(m.Most), tidy.Int(int(m.Median.Lo)), tidy.Int(int(m.Median.Hi)),
		f.Runs)
	if f.GaveUp > 0 {
		text += fmt.Sprintf(" %d of them were given up as too long.", f.GaveUp)
	}
	for _, w := range f.Warnings {
		text += " " + w
	}
	return text
}
