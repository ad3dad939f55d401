// Package wording holds the messages of the HTTP API. Its golden file lists them.
package wording
