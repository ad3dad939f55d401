// Package catalogue lists the sources and layers of a build.
package catalogue
