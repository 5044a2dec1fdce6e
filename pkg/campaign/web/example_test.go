package web_test

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/web"
)

// Serve a campaign: a page for people at /, and an API for programs at /api.
func ExampleNew() {
	sd := 2.
	p := &problem.Problem{Title: "Yields",
		Question:   problem.Question{Find: problem.FindBest, Delta: 0.05},
		Candidates: problem.Candidates{Names: []string{"A07", "B02"}},
		Objectives: []problem.Objective{{Name: "yield", Goal: problem.Maximise,
			Noise: problem.Noise{SD: &sd}}}}
	dir, err := os.MkdirTemp("", "web")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c, err := campaign.Create(filepath.Join(dir, "yields.campaign"), p, "Ada")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	s := web.New(c, web.Access{Loopback: true}, "http://127.0.0.1:8080")
	defer s.Close()

	// web.HTTP(s).ListenAndServe() would listen; this example makes one request.
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/api/state", nil))
	var state struct{ Title, Headline string }
	if err := json.Unmarshal(w.Body.Bytes(), &state); err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Code, state.Title, state.Headline)
	// Output: 200 Yields Started: 2 candidates, nothing measured yet.
}

// Servers at loopback addresses need no token.
func ExampleLoopback() {
	for _, address := range []string{"127.0.0.1:8080", "[::1]:8080", "localhost:0", ":8080", "bench.example:8080"} {
		fmt.Println(address, web.Loopback(address))
	}
	// Output:
	// 127.0.0.1:8080 true
	// [::1]:8080 true
	// localhost:0 true
	// :8080 false
	// bench.example:8080 false
}
