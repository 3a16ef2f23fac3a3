// Package shapes has an interface and what implements it.
package shapes

import "math"

// Shape has an area.
type Shape interface {
	Area() float64
}

// Kreis is a circle of radius R.
type Kreis struct{ R float64 }

// Area implements Shape.
func (k Kreis) Area() float64 { return math.Pi * k.R * k.R }

// Quadrat is a square with sides of A.
type Quadrat struct{ A float64 }

// Area implements Shape.
func (q Quadrat) Area() float64 { return q.A * q.A }

// Sum adds up areas.
func Sum(shapes []Shape, scale float64) float64 {
	total := 0.0
	for _, s := range shapes {
		total += s.Area() * scale
	}
	return total
}

// Both is the area of two shapes.
func Both(a, b Shape) float64 {
	größe := Sum([]Shape{a, b}, 1)
	return größe + Sum(nil, 2)
}
