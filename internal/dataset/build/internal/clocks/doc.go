// Package clocks decides the time zones of codes and reads their clock rules.
package clocks
