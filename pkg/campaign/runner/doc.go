// Package runner runs a campaign whose laboratory is a computer: a command is executed for each
// measurement, several at a time, with a time limit and retries, and what it prints is told.
//
// A [Template] is the command, with placeholders for the arm; [Command.Measure] executes it once per
// measurement; [Run] asks, measures and tells until the campaign has its answer. What was asked for
// and not told when a run is interrupted stays pending in the campaign, and is measured first when
// it is run again under the same name.
package runner
