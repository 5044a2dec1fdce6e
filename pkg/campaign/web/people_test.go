package web_test

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/web/internal/webtest"
)

// TestPeople: 200 people follow a campaign, and all of them hear of a tell. How long that takes is
// logged.
func TestPeople(t *testing.T) {
	const people = 200
	c := webtest.Begin(t)
	url := webtest.Serve(t, c)
	ready, heard := make(chan error, people), make(chan error, people)
	for range people {
		go func() {
			resp, err := http.Get(url + "/api/stream")
			if err != nil {
				ready <- err
				heard <- err
				return
			}
			defer resp.Body.Close()
			events := bufio.NewScanner(resp.Body)
			events.Buffer(nil, 1<<20)
			first := true
			for events.Scan() {
				line := events.Text()
				if first && strings.HasPrefix(line, "data: ") {
					first = false
					ready <- nil
				}
				if strings.HasPrefix(line, "data: ") && strings.Contains(line, `"used":1,`) {
					heard <- nil
					return
				}
			}
			heard <- fmt.Errorf("the stream has ended: %w", events.Err())
		}()
	}
	for range people {
		if err := <-ready; err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	if _, err := c.Tell([]campaign.Result{{ID: "p. 3", Arm: "A01", Values: []float64{60, 8}}},
		"ada"); err != nil {
		t.Fatal(err)
	}
	told := time.Since(begun)
	for range people {
		if err := <-heard; err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("told in %v; %d people heard of it within %v", told, people, time.Since(begun))
}
