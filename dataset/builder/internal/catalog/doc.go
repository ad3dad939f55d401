// Package catalog lists the sources and layers of a build.
package catalog
