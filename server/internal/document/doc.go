// Package document describes the routes of the HTTP interface. It writes the OpenAPI
// document, a Postman collection, a price list and a text for language models.
package document
