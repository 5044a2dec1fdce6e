// Package report presents a campaign as a [View] for the page of package web and for JSON, as
// figures, and as one self-contained HTML file.
//
//	r, err := report.NewViewer(c).Report() // c is a *campaign.Campaign
//	err = r.HTML(file)
package report
