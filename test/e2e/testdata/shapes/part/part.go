// Package part is reached by a link too.
package part

import "example.org/shapes"

// Teil calls from another package.
func Teil() float64 { return shapes.Both(nil, nil) }
