package wire

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/jackc/pgx/v5/pgproto3"

	"raisind/session"
)

// The scripts may be run against a PostgreSQL: go test -run Script -postgres 127.0.0.1:5432.
// Blocks with the argument raisind are then left out; those with the argument
// postgres run only there.
var (
	postgres     = flag.String("postgres", "", "address of a PostgreSQL to run the scripts against")
	postgresUser = flag.String("postgres-user", "postgres", "its user")
	postgresDB   = flag.String("postgres-db", "postgres", "its database")
)

// TestScripts plays testdata/*.txt: what clients send, and every message they get.
//
//	connect [conn=a] [startup parameters name=value …; + stands for a space]
//	send [conn=a]       messages as pgproto3 writes them in JSON; prints nothing
//	until [conn=a] [keep=Type,…]   types one a line; prints messages up to each of them
//	raw [conn=a]        bytes in hexadecimal
//	eof [conn=a]        prints messages up to the end of the stream
//	cancel [conn=a] [bad]
//	close [conn=a], sleep ms=100
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			p := &player{conns: map[string]*client{}, addr: *postgres, user: *postgresUser, database: *postgresDB}
			if p.addr == "" {
				h := start(t, session.Config{MaxSessions: 4}, Config{})
				p.addr, p.user, p.database = h.addr, "raisin", "raisin"
			}
			defer p.close()
			datadriven.RunTest(t, file, p.play)
		})
	}
}

type player struct {
	addr, user, database string
	conns                map[string]*client
}

// client is one connection of a script.
type client struct {
	nc     net.Conn
	fe     *pgproto3.Frontend
	pid    uint32
	secret []byte
}

func (p *player) close() {
	for _, c := range p.conns {
		c.nc.Close()
	}
}

func (p *player) play(t *testing.T, d *datadriven.TestData) string {
	if d.HasArg("raisind") && *postgres != "" || d.HasArg("postgres") && *postgres == "" {
		return d.Expected
	}
	name := "a"
	d.MaybeScanArgs(t, "conn", &name)
	out, err := p.command(t, d, name)
	if err != nil {
		return out + fmt.Sprintln("!", err)
	}
	return out
}

func (p *player) command(t *testing.T, d *datadriven.TestData, name string) (string, error) {
	switch d.Cmd {
	case "connect":
		return p.connect(d, name)
	case "sleep":
		ms := 0
		d.ScanArgs(t, "ms", &ms)
		time.Sleep(time.Duration(ms) * time.Millisecond)
		return "", nil
	}
	c := p.conns[name]
	if c == nil {
		if out, err := p.connect(&datadriven.TestData{}, name); err != nil || !strings.Contains(out, "ReadyForQuery") {
			return out, err
		}
		c = p.conns[name]
	}
	switch d.Cmd {
	case "send":
		return "", c.send(d.Input)
	case "until":
		var keep string
		d.MaybeScanArgs(t, "keep", &keep)
		return c.until(strings.Fields(d.Input), keep)
	case "raw":
		b, err := hex.DecodeString(strings.Join(strings.Fields(d.Input), ""))
		if err != nil {
			return "", err
		}
		_, err = c.nc.Write(b)
		return "", err
	case "eof":
		return c.until([]string{"end of stream"}, "")
	case "close":
		delete(p.conns, name)
		return "", c.nc.Close()
	case "cancel":
		return "", p.cancel(c, d.HasArg("bad"))
	}
	return "", fmt.Errorf("no command %s", d.Cmd)
}

func (p *player) dial() (net.Conn, error) {
	nc, err := net.DialTimeout("tcp", p.addr, patience)
	if err != nil {
		return nil, err
	}
	return nc, nc.SetDeadline(time.Now().Add(patience))
}

// connect makes a connection and prints what the server says up to its first
// ReadyForQuery, without key data and parameters.
func (p *player) connect(d *datadriven.TestData, name string) (string, error) {
	nc, err := p.dial()
	if err != nil {
		return "", err
	}
	c := &client{nc: nc, fe: pgproto3.NewFrontend(nc, nc)}
	p.conns[name] = c
	m := &pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{
		"user": p.user, "database": p.database, "client_encoding": "UTF8",
	}}
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "conn", "raisind", "postgres":
		case "version":
			m.ProtocolVersion = 3 << 16
			fmt.Sscan(a.Vals[0], &m.ProtocolVersion)
		default:
			m.Parameters[a.Key] = strings.ReplaceAll(strings.Join(a.Vals, ","), "+", " ")
		}
	}
	c.fe.Send(m)
	if err := c.fe.Flush(); err != nil {
		return "", err
	}
	return c.until([]string{"ReadyForQuery"}, "")
}

// cancel sends a CancelRequest and waits for the server to hang up.
func (p *player) cancel(c *client, bad bool) error {
	nc, err := p.dial()
	if err != nil {
		return err
	}
	defer nc.Close()
	secret := append([]byte{}, c.secret...)
	if bad {
		secret[0]++
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(12+len(secret)))
	b = binary.BigEndian.AppendUint32(b, cancelCode)
	b = append(binary.BigEndian.AppendUint32(b, c.pid), secret...)
	if _, err := nc.Write(b); err != nil {
		return err
	}
	n, err := io.Copy(io.Discard, nc)
	if n > 0 {
		return fmt.Errorf("a cancel request was answered with %d bytes", n)
	}
	return err
}

var frontendMessages = map[string]func() pgproto3.FrontendMessage{
	"Bind":      func() pgproto3.FrontendMessage { return &pgproto3.Bind{} },
	"Close":     func() pgproto3.FrontendMessage { return &pgproto3.Close{} },
	"CopyData":  func() pgproto3.FrontendMessage { return &pgproto3.CopyData{} },
	"CopyDone":  func() pgproto3.FrontendMessage { return &pgproto3.CopyDone{} },
	"CopyFail":  func() pgproto3.FrontendMessage { return &pgproto3.CopyFail{} },
	"Describe":  func() pgproto3.FrontendMessage { return &pgproto3.Describe{} },
	"Execute":   func() pgproto3.FrontendMessage { return &pgproto3.Execute{} },
	"Flush":     func() pgproto3.FrontendMessage { return &pgproto3.Flush{} },
	"Parse":     func() pgproto3.FrontendMessage { return &pgproto3.Parse{} },
	"Query":     func() pgproto3.FrontendMessage { return &pgproto3.Query{} },
	"Sync":      func() pgproto3.FrontendMessage { return &pgproto3.Sync{} },
	"Terminate": func() pgproto3.FrontendMessage { return &pgproto3.Terminate{} },
}

// send sends the messages of a block in one write.
func (c *client) send(block string) error {
	var b []byte
	for line := range strings.Lines(block) {
		name, args, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "CopyText" { // text instead of hexadecimal
			var text string
			if err := json.Unmarshal([]byte(args), &text); err != nil {
				return err
			}
			b, _ = (&pgproto3.CopyData{Data: []byte(text)}).Encode(b)
			continue
		}
		mk := frontendMessages[name]
		if mk == nil {
			return fmt.Errorf("no message %q", name)
		}
		m := mk()
		if args != "" {
			if err := json.Unmarshal([]byte(args), m); err != nil {
				return fmt.Errorf("%s: %w", line, err)
			}
		}
		var err error
		if b, err = m.Encode(b); err != nil {
			return err
		}
	}
	_, err := c.nc.Write(b)
	return err
}

// hidden are messages that a script does not see unless it keeps them.
var hidden = map[string]bool{"ParameterStatus": true, "BackendKeyData": true, "AuthenticationOk": true, "NoticeResponse": false}

// until prints messages up to one of each type, in that order.
func (c *client) until(want []string, keep string) (string, error) {
	var out strings.Builder
	for len(want) > 0 {
		m, err := c.fe.Receive()
		if err != nil {
			if want[0] == "end of stream" && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
				out.WriteString("end of stream\n")
				return out.String(), nil
			}
			return out.String(), err
		}
		if k, ok := m.(*pgproto3.BackendKeyData); ok {
			c.pid, c.secret = k.ProcessID, append([]byte{}, k.SecretKey...)
		}
		typ := reflect.TypeOf(m).Elem().Name()
		if !hidden[typ] || strings.Contains(keep, typ) {
			out.WriteString(show(m))
		}
		if typ == want[0] {
			want = want[1:]
		}
		if e, ok := m.(*pgproto3.ErrorResponse); ok && e.Severity == "FATAL" && len(want) > 0 && want[0] != "end of stream" {
			return out.String(), nil
		}
	}
	return out.String(), nil
}

// show is one message as one line.
func show(m pgproto3.BackendMessage) string {
	switch m := m.(type) {
	case *pgproto3.ErrorResponse:
		return "ErrorResponse " + showFields(m)
	case *pgproto3.NoticeResponse:
		e := pgproto3.ErrorResponse(*m)
		return "NoticeResponse " + showFields(&e)
	case *pgproto3.RowDescription:
		var b strings.Builder
		b.WriteString("RowDescription\n")
		for _, f := range m.Fields {
			table := ""
			if f.TableOID != 0 {
				table = fmt.Sprintf(" column=%d", f.TableAttributeNumber)
			}
			fmt.Fprintf(&b, "  %s type=%d size=%d typmod=%d format=%d%s\n", f.Name, f.DataTypeOID, f.DataTypeSize, f.TypeModifier, f.Format, table)
		}
		return b.String()
	case *pgproto3.DataRow:
		var b strings.Builder
		b.WriteString("DataRow")
		for _, v := range m.Values {
			switch {
			case v == nil:
				b.WriteString(" NULL")
			case strings.ContainsFunc(string(v), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0xfffd }):
				fmt.Fprintf(&b, " x'%x'", v)
			default:
				fmt.Fprintf(&b, " %q", v)
			}
		}
		return b.String() + "\n"
	case *pgproto3.NotificationResponse: // the sender's number differs from run to run
		return fmt.Sprintf("NotificationResponse %q %q\n", m.Channel, m.Payload)
	case *pgproto3.CopyData:
		return fmt.Sprintf("CopyData %q\n", m.Data)
	}
	js, err := json.Marshal(m)
	if err != nil {
		return err.Error() + "\n"
	}
	var fields map[string]any
	if err := json.Unmarshal(js, &fields); err != nil {
		return err.Error() + "\n"
	}
	delete(fields, "Type")
	rest := ""
	if len(fields) > 0 {
		js, _ = json.Marshal(fields)
		rest = " " + string(js)
	}
	return reflect.TypeOf(m).Elem().Name() + rest + "\n"
}

func showFields(e *pgproto3.ErrorResponse) string {
	s := fmt.Sprintf("%s %s %s\n", e.Severity, e.Code, e.Message)
	for _, f := range []struct{ name, value string }{{"detail", e.Detail}, {"hint", e.Hint}, {"where", e.Where}} {
		if f.value != "" {
			s += fmt.Sprintf("  %s: %s\n", f.name, strings.ReplaceAll(f.value, "\n", `\n`))
		}
	}
	if e.Position > 0 {
		s += fmt.Sprintf("  position: %d\n", e.Position)
	}
	return s
}
