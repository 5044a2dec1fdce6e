// Package runner runs a campaign whose measurements are computations. For each measurement, package
// runner executes a command, several in parallel, with a time limit and retries, and reports the
// values that the command prints.
//
//	t, err := runner.Parse("./bench {arm} --seed {seed}")
//	summary, err := runner.Run(ctx, c, &runner.Command{Template: t}, runner.Settings{As: "node7"})
//
// A [Template] is a command with placeholders, for example for the name of the arm.
// [Command.Measure] executes the command for one measurement. [Run] requests, makes and reports
// measurements until the campaign has its answer. [Files] exchanges worksheets and result files
// with a laboratory instead of executing a command for each measurement. Measurements of an
// interrupted run stay pending; the next run under the same name makes these measurements first.
package runner
