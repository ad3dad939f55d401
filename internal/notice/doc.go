// Package notice builds the notices of the contract.
package notice
