//go:build !unix

package wire

import "net"

// gone cannot tell on this system: a lost client is noticed when it is written to.
func gone(net.Conn) bool { return false }
