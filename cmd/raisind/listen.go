package main

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listen opens addr. Without a password only loopback addresses are taken.
func listen(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--listen %q: %w (use host:port, as in 127.0.0.1:5432)", addr, err)
	}
	if !loopback(host) {
		return nil, fmt.Errorf("--listen %q is not a loopback address: refused, since no password protects this server; use 127.0.0.1 and a tunnel", addr)
	}
	ln, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use, perhaps by PostgreSQL or another raisind; choose another port with --listen 127.0.0.1:5433", addr)
	}
	return ln, err
}

// listenPrivately opens addr, the value of a flag, on a loopback address.
func listenPrivately(flag, addr, because string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w (use host:port)", flag, addr, err)
	}
	if !loopback(host) {
		return nil, fmt.Errorf("%s %q is not a loopback address: refused, %s", flag, addr, because)
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return ln, nil
}

// loopback reports whether every address host stands for is a loopback address.
func loopback(host string) bool {
	if host == "" { // every address of the machine
		return false
	}
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	ips, err := net.LookupIP(host)
	if err != nil || len(ips) == 0 {
		return false
	}
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return false
		}
	}
	return true
}
