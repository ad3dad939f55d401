// Package owntables reads tables of users: values of areas, with a meaning for each
// column.
package owntables
