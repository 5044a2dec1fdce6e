// Package report says where a campaign stands, for people: as a [View], which the page of package
// web shows and programs read as JSON, as figures, and as one HTML file that needs nothing else,
// for the record and for a colleague.
package report
