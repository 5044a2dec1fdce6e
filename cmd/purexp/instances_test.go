package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study/arena"
)

// Exported files contain a problem that can be parsed, an answer that is right for the means, and a T* within
// theoretical bounds.
func TestInstancesExport(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "instances")
	out, errs, code := purexp(t, t.TempDir(), "instances", "export", folder)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	text, err := os.ReadFile(filepath.Join(folder, "instances.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := arena.Instances()
	files, err := os.ReadDir(folder)
	if err != nil || len(rows) != 1+len(all) || len(files) != len(rows) ||
		!strings.Contains(out, fmt.Sprintf("%d instances", len(all))) {
		t.Fatalf("%d rows and %d files of %d instances, %v: %s", len(rows), len(files), len(all), err, out)
	}
	bounded := 0
	for i, row := range rows[1:] {
		text, err := os.ReadFile(filepath.Join(folder, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		var x exported
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&x); err != nil {
			t.Fatalf("%s: %v", row[0], err)
		}
		p, err := x.Problem.Explore()
		if err != nil {
			t.Fatalf("%s: %v", row[0], err)
		}
		if want := all[i]; x.Name != want.Name || x.Question != string(want.Question) ||
			x.Set != string(want.Set) || x.Why != want.Why {
			t.Errorf("instance %d is %s, %s, %s: %s; want %+v", i, x.Name, x.Question, x.Set, x.Why, want)
		}
		right := strings.Trim(fmt.Sprint(x.Right.Chosen), "[]")
		if want := []string{row[0], x.Name, x.Question, x.Set, strconv.Itoa(p.K()), strconv.Itoa(p.M()),
			strconv.Itoa(p.D()), strconv.Itoa(p.H()), row[8], right}; !slices.Equal(row, want) {
			t.Errorf("the row %q is not that of the file, %q", row, want)
		}
		if h, err := strconv.ParseFloat(row[8], 64); err != nil || math.Abs(h-x.TStar) > 1e-7*h {
			t.Errorf("%s: T* is %v in the table and %v in the file", x.Name, row[8], x.TStar)
		}
		mu := mat.NewDense(p.M(), p.D(), nil)
		for i, m := range x.Means {
			mu.SetRow(i, m)
		}
		answer, err := x.Right.Explore(p)
		if err != nil || len(x.Means) != p.M() || !p.Question.Correct(mu, answer) {
			t.Errorf("%s: the right answer %v is wrong for the means %v, %v", x.Name, answer, x.Means, err)
		}
		if (x.Law == "Gaussian") != (x.Covariance != nil) || x.Law == "" || strings.HasPrefix(x.Law, "*") {
			t.Errorf("%s: rewards are %q, of covariance %v", x.Name, x.Law, x.Covariance)
		}
		for c, row := range x.Covariance {
			if v := math.Sqrt(row[c]); len(row) != p.D() || !(v > 0) || v > p.Sigma*(1+1e-12) {
				t.Errorf("%s: objective %d has the standard deviation %v; at most %v is said", x.Name, c, v, p.Sigma)
			}
		}
		// Without structure, H <= T* <= 2 × H, where H is the sum of 2 × sigma^2/gap^2 over arms. The gap of the best
		// arm is the gap of the second-best arm (Garivier and Kaufmann, COLT 2016).
		q, best := p.Question.(question.Best)
		if !best || q.Epsilon > 0 || p.X != nil || p.Known != nil || x.Law != "Gaussian" || p.Costs != nil {
			continue
		}
		bounded++
		values := mat.Col(nil, 0, mu)
		slices.Sort(values)
		top := len(values) - 1
		h := 2 * x.Covariance[0][0] / sq(values[top]-values[top-1])
		for _, v := range values[:top] {
			h += 2 * x.Covariance[0][0] / sq(values[top]-v)
		}
		if !(x.TStar >= h*(1-1e-9) && x.TStar <= 2*h*(1+1e-9)) {
			t.Errorf("%s: T* is %v; want between %v and twice that", x.Name, x.TStar, h)
		}
	}
	if bounded == 0 {
		t.Error("no T* was compared with theory")
	}
}

func sq(x float64) float64 { return x * x }
