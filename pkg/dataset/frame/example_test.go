package frame_test

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/tidy"
)

func ExampleOf() {
	type dose struct {
		MG       int     `json:"mg"`
		Response float64 `json:"response"`
	}
	df, err := frame.Of([]dose{{75, 1e-9}, {150, 0.6123}})
	fmt.Println(df.Names(), df.Col("response").Float(), err)
	// Output: [mg response] [1e-09 0.6123] <nil>
}

func ExampleParseCSV() {
	file := "code,response\n007,1e-9\n010,0.5\n"
	df, err := frame.ParseCSV(strings.NewReader(file), "doses.csv", "code", "response")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(df.Col("code").Elem(0), df.Col("response").Float())

	_, err = frame.ParseCSV(strings.NewReader(file), "doses.csv", "dose")
	fmt.Println(err)
	// Output:
	// 007 [1e-09 0.5]
	// frame: doses.csv:1: no column "dose"; the columns are ["code" "response"]
}

func ExampleOfTable() {
	t := tidy.Table{
		Columns: []tidy.Column{{Name: "dose", Unit: "mg"}, {Name: "response"}},
		Rows:    [][]any{{75, 0.4567}, {150, nil}},
	}
	df, err := frame.OfTable(&t)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(df.Names(), df.Col("response").Float())
	// Output: [dose (mg) response] [0.4567 NaN]
}

func ExampleReadCSV() {
	_, err := frame.ReadCSV("doses.csv", "mg", "response")
	fmt.Println(err)
	// Output: frame: open doses.csv: no such file or directory
}
