// Package acs names the data profiles of the American Community Survey's
// 5-year estimates.
//
// # Usage
//
// A [Tag] is the typed form of an include flag such as acs_social_2019:
//
//	tag, err := acs.ParseTag("acs_social_2019")
//
// # Errors
//
// Text that is no tag gives an error that matches [ErrInvalidTag].
package acs
