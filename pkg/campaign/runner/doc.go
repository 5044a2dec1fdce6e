// Package runner runs a campaign whose laboratory is a computer: it executes a command for each
// measurement, several at a time, with a time limit and retries, and reports what it prints.
//
//	t, err := runner.Parse("./bench {arm} --seed {seed}")
//	summary, err := runner.Run(ctx, c, &runner.Command{Template: t}, runner.Settings{As: "node7"})
//
// A [Template] is the command, with placeholders for the arm. [Command.Measure] executes it for a
// measurement. [Run] asks, measures and reports until the campaign has its answer. [Files]
// exchanges files instead. Measurements of an interrupted run stay pending, and are made first when
// the run is repeated under the same name.
package runner
