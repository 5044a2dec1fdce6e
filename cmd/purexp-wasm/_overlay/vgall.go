// Package plot, without the formats that a page does not draw: see ../overlay.json.
package plot
