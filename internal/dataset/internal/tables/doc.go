// Package tables stores the tables of users: values of areas, such as an index by
// census tract or rents by ZIP Code.
package tables
