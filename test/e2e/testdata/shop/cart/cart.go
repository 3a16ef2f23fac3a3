// Package cart is what a customer carries.
package cart

import "example.org/shop"

// Größe is the number of things in a cart.
type Größe int

// Cart holds prices.
type Cart struct {
	Prices []shop.Price
}

// Sum gives the total of the cart.
func (c Cart) Sum() shop.Price {
	return shop.Total(c.Prices)
}

// Label describes the cart.
func (c Cart) Label() (icon string, sum shop.Price) {
	icon, sum = "🛒🛒", shop.Total(c.Prices) + shop.Total(nil)
	return icon, sum
}

// Size counts the things.
func (c Cart) Size() Größe { return Größe(len(c.Prices)) }
