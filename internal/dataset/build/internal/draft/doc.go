// Package draft defines the tables that steps of several themes share.
package draft
