package shapes

import "os"

func  messy( ) int {
  return 1
}
