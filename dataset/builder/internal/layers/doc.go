// Package layers reads outlines, stores them and measures what codes share with
// them and with the areas of censuses, districts and schools.
package layers
