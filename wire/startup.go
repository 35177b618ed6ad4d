package wire

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"raisind/pgerr"
	"raisind/session"
)

// Codes in the place of a protocol version.
const (
	cancelCode = 80877102
	sslCode    = 80877103
	gssCode    = 80877104
)

const (
	minStartupBytes = 8
	maxStartupBytes = 10_000
	// newestMinor is the newest minor version of protocol 3 we speak; 3.1 never was one.
	newestMinor = 2
)

// lateStartup bounds the startup of clients that come while the server shuts down: they
// may only cancel.
const lateStartup = time.Second

// errNoSession ends a connection that was not meant to become a session.
var errNoSession = errors.New("wire: no session")

// startup reads packets until the client is let in. It answers requests for encryption
// with a no, and serves cancel requests.
func (c *conn) startup() error {
	limit := c.srv.cfg.StartupTimeout
	if c.srv.draining.Load() {
		limit = min(limit, lateStartup)
	}
	if err := c.nc.SetDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	for {
		p, err := c.startupPacket()
		if err != nil {
			return err
		}
		switch code := binary.BigEndian.Uint32(p); code {
		case sslCode, gssCode:
			if _, err := c.nc.Write([]byte{'N'}); err != nil {
				return err
			}
		case cancelCode:
			if len(p) >= 12 {
				c.srv.engine.Cancel(int32(binary.BigEndian.Uint32(p[4:])), p[8:])
			}
			return errNoSession
		default:
			return c.login(code, p[4:])
		}
	}
}

// startupPacket reads a packet without a type byte. What is no such packet gets no answer:
// its sender speaks another protocol.
func (c *conn) startupPacket() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.nc, head[:]); err != nil {
		return nil, errNoSession
	}
	n := int(binary.BigEndian.Uint32(head[:]))
	if n < minStartupBytes || n > maxStartupBytes {
		return nil, errNoSession
	}
	p := make([]byte, n-4)
	if _, err := io.ReadFull(c.nc, p); err != nil {
		return nil, errNoSession
	}
	return p, nil
}

// login makes the session and greets the client. Errors are for the client to see.
func (c *conn) login(version uint32, params []byte) error {
	major, minor := version>>16, version&0xffff
	if major != 3 {
		return fatal(pgerr.New(pgerr.FeatureNotSupported, "unsupported frontend protocol %d.%d: server supports 3.0 to 3.%d", major, minor, newestMinor))
	}
	if c.srv.draining.Load() {
		return fatal(pgerr.New(pgerr.CannotConnectNow, "the database system is shutting down"))
	}
	start, unknown, err := startupParams(params)
	if err != nil {
		return err
	}
	speak := min(minor, newestMinor)
	if speak == 1 {
		speak = 0
	}
	if minor != speak || len(unknown) > 0 {
		c.out.send(&pgproto3.NegotiateProtocolVersion{NewestMinorProtocol: 3<<16 | speak, UnrecognizedOptions: unknown})
	}
	if !c.local() {
		return fatal(pgerr.New(pgerr.InvalidAuthorizationSpecification, `no pg_hba.conf entry for host "%s", user "%s", database "%s", no encryption`,
			host(c.nc.RemoteAddr()), start.User, start.Database).WithHint("Clients are trusted on the loopback interface only."))
	}
	start.Remote = c.nc.RemoteAddr().String()
	start.LongKey = speak >= 2
	start.Wake = c.wake
	if c.sess, err = c.srv.engine.NewSession(*start, c); err != nil {
		return err
	}
	c.session.Store(c.sess)
	c.out.send(&pgproto3.AuthenticationOk{})
	c.reportSettings()
	pid, secret := c.sess.Key()
	c.out.send(&pgproto3.BackendKeyData{ProcessID: uint32(pid), SecretKey: secret})
	return c.nc.SetDeadline(time.Time{})
}

// local reports whether the client is on this machine.
func (c *conn) local() bool {
	a, ok := c.nc.RemoteAddr().(*net.TCPAddr)
	return !ok || a.IP.IsLoopback()
}

func host(a net.Addr) string {
	if t, ok := a.(*net.TCPAddr); ok {
		return t.IP.String()
	}
	return a.String()
}

// startupParams reads names and values. unknown are protocol options we do not know.
func startupParams(b []byte) (start *session.Startup, unknown []string, err error) {
	start = &session.Startup{}
	bad := func(msg string) error { return fatal(pgerr.New(pgerr.ProtocolViolation, "%s", msg)) }
	var options string
	m := body{b: b}
	for {
		name := string(m.text())
		if m.bad {
			return nil, nil, bad("invalid startup packet layout: expected terminator as last byte")
		}
		if name == "" {
			break
		}
		value := string(m.text())
		if m.bad {
			return nil, nil, bad("invalid startup packet layout: expected terminator as last byte")
		}
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return nil, nil, fatal(pgerr.New(pgerr.CharacterNotInRepertoire, "startup packet is not UTF-8"))
		}
		switch {
		case name == "user":
			start.User = value
		case name == "database":
			start.Database = value
		case name == "options":
			options = value
		case name == "replication":
			if value != "false" && value != "off" && value != "no" && value != "0" {
				return nil, nil, fatal(pgerr.New(pgerr.FeatureNotSupported, "replication connections are not supported"))
			}
		case strings.HasPrefix(name, "_pq_."):
			unknown = append(unknown, name)
		default:
			start.Settings = append(start.Settings, session.Option{Name: name, Value: value})
		}
	}
	if len(m.b) > 0 {
		return nil, nil, bad("invalid startup packet layout: expected terminator as last byte")
	}
	// What stands in options comes first, so that settings of the packet itself win.
	opts, err := commandLine(options)
	if err != nil {
		return nil, nil, err
	}
	start.Settings = append(opts, start.Settings...)
	return start, unknown, nil
}

// commandLine reads the options parameter: -c name=value and --name=value.
func commandLine(s string) ([]session.Option, error) {
	var opts []session.Option
	words := splitOptions(s)
	for i := 0; i < len(words); i++ {
		w := words[i]
		var setting string
		switch {
		case w == "-c" && i+1 < len(words):
			i++
			setting = words[i]
		case strings.HasPrefix(w, "-c") && len(w) > 2:
			setting = w[2:]
		case strings.HasPrefix(w, "--"):
			setting = w[2:]
		default:
			return nil, fatal(pgerr.New(pgerr.SyntaxError, "invalid command-line argument for server process: %s", w))
		}
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return nil, fatal(pgerr.New(pgerr.SyntaxError, "%s requires a value", w))
		}
		opts = append(opts, session.Option{Name: strings.ReplaceAll(name, "-", "_"), Value: value})
	}
	return opts, nil
}

// splitOptions splits at white space; a backslash keeps the character after it.
func splitOptions(s string) []string {
	var words []string
	var w strings.Builder
	in := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			w.WriteByte(s[i])
			in = true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f':
			if in {
				words = append(words, w.String())
				w.Reset()
				in = false
			}
		default:
			w.WriteByte(c)
			in = true
		}
	}
	if in {
		words = append(words, w.String())
	}
	return words
}

func (c *conn) reportSettings() {
	c.sess.ReportSettings(func(name, value string) {
		c.out.send(&pgproto3.ParameterStatus{Name: name, Value: value})
	})
}
