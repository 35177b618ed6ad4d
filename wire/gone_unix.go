//go:build unix && !linux

package wire

import (
	"net"
	"syscall"
)

// gone reports whether the client has closed its end. It takes nothing from the socket,
// and cannot tell while bytes of further messages wait to be read, a goodbye excepted.
func gone(nc net.Conn) bool {
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	const goodbye = "X\x00\x00\x00\x04"
	var b [len(goodbye) + 1]byte
	err = raw.Control(func(fd uintptr) {
		n, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		switch err {
		case nil:
			closed = n == 0 || string(b[:n]) == goodbye
		case syscall.EAGAIN, syscall.EINTR:
		default:
			closed = true
		}
	})
	return err == nil && closed
}
