package frame_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/tidy"
)

// A frame that is written comes back: names, types, all digits, what is missing.
func TestCSVRoundTrip(t *testing.T) {
	df, err := frame.ParseCSV(strings.NewReader("code,n,x,ok,text,hole\n"+
		"007,1,0.12345678901234567,true,\"a, \"\"b\"\"\",1\n0,-12,1e-300,false,=1+1,\nx,9007199254740993,NaN,true,,2.5\n"), "in.csv")
	if err != nil {
		t.Fatal(err)
	}
	text, err := frame.CSV(df)
	if err != nil {
		t.Fatal(err)
	}
	back, err := frame.ParseCSV(bytes.NewReader(text), "back.csv")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got, want := fmt.Sprint(back.Names(), back.Types()), fmt.Sprint(df.Names(), df.Types()); got != want ||
		got != "[code n x ok text hole] [string int float bool string float]" {
		t.Errorf("%s came back as %s", want, got)
	}
	for _, name := range df.Names() {
		a, b := df.Col(name), back.Col(name)
		if a.Type() == series.Float {
			if !slices.EqualFunc(a.Float(), b.Float(), func(x, y float64) bool {
				return x == y || math.IsNaN(x) && math.IsNaN(y)
			}) {
				t.Errorf("%s: %v came back as %v", name, a.Float(), b.Float())
			}
		} else if !slices.Equal(a.Records(), b.Records()) {
			t.Errorf("%s: %q came back as %q", name, a.Records(), b.Records())
		}
	}
	if got := df.Col("n").Records()[2]; got != "9007199254740993" {
		t.Errorf("an integer lost digits: %s", got)
	}
	// What is missing is an empty cell, in columns of any type, and lines within a cell end as those of Unix do.
	gaps, err := frame.ParseCSV(strings.NewReader("n,x,t\n1,NA,\"a\r\r\nb\r\nc\"\n2,1.5,\n"), "gaps.csv")
	if err != nil {
		t.Fatal(err)
	}
	ints := series.New([]string{"1", "NaN"}, series.Int, "i")
	if text, err := frame.CSV(gaps.CBind(dataframe.New(ints))); err != nil || string(text) != "n,x,t,i\n1,,\"a\nb\nc\",1\n2,1.5,,\n" {
		t.Errorf("%q, %v", text, err)
	}
	broken := df.Select("nothing")
	if _, err := frame.CSV(broken); err == nil {
		t.Error("a frame with an error is written")
	}
}

// Columns are of the narrowest type that holds all of their cells.
func TestTypesOfCells(t *testing.T) {
	for cells, want := range map[string]series.Type{
		"1 -2 30": series.Int, "1 2.5": series.Float, "1 NA": series.Float, "NA NaN": series.String,
		"true false": series.Bool, "true 1": series.String, "0 10": series.Int, "0 01": series.String,
		"0 -05": series.String, "0 00": series.String, "0 -0": series.Int, "0 0.5": series.Float, "1 1_000": series.String,
		"1 0x10": series.String, "1e3 2": series.Float, "1 12345678901234567890": series.String, "a 1": series.String,
		"5 Inf": series.Float,
	} {
		text := "c,d\n" + strings.ReplaceAll(cells, " ", ",x\n") + ",x\n"
		df, err := frame.ParseCSV(strings.NewReader(text), "t.csv")
		if err != nil || df.Types()[0] != want {
			t.Errorf("%q: %v, %v; want %s", cells, df.Types(), err, want)
		}
	}
	one, err := frame.ParseCSV(strings.NewReader("single\n1\n2\n"), "t.csv")
	if err != nil || one.Types()[0] != series.Int {
		t.Errorf("a single column: %v, %v", one, err)
	}
	reading := errors.New("the disk is gone")
	if df, err := frame.ParseCSV(iotest.ErrReader(reading), "t.csv"); !errors.Is(err, reading) || df.Err == nil {
		t.Errorf("a reader that fails: %v, %v", df, err)
	}
}

// Numbers of any type stand in a column together, whole ones among others too.
func TestOfTableMixed(t *testing.T) {
	df, err := frame.OfTable(&tidy.Table{Columns: []tidy.Column{{Name: "x"}, {Name: "n"}, {Name: "mixed"}, {Name: "none"}, {Name: "large"}},
		Rows: [][]any{{3, int64(1), 2, nil, 1}, {2.5, uint8(2), "b", nil, uint64(math.MaxUint64)}, {float32(.5), 3, 1.5, nil, .5}, {nil, -4, true, nil, nil}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(df.Types()); got != "[float int string string string]" {
		t.Errorf("types %s", got)
	}
	if x := df.Col("x").Float(); x[0] != 3 || x[1] != 2.5 || x[2] != .5 || !math.IsNaN(x[3]) {
		t.Errorf("numbers %v", x)
	}
	if n := df.Col("n").Records(); !slices.Equal(n, []string{"1", "2", "3", "-4"}) {
		t.Errorf("whole numbers %q", n)
	}
	// What no number of Go holds stays as it is, also beside numbers.
	if n := df.Col("large").Records(); !slices.Equal(n[:3], []string{"1", "18446744073709551615", "0.5"}) {
		t.Errorf("large numbers %q", n)
	}
	for _, bad := range []*tidy.Table{{Columns: []tidy.Column{{Name: "x"}}},
		{Columns: []tidy.Column{{Name: "x"}, {Name: "x"}}, Rows: [][]any{{1, 2}}}} {
		if df, err := frame.OfTable(bad); err == nil || df.Err == nil {
			t.Errorf("%+v is a frame", bad)
		}
	}
}
