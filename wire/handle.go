package wire

import (
	"context"
	"io"

	"github.com/jackc/pgx/v5/pgproto3"

	"raisind/pgerr"
)

// handle answers one message. Errors are for the client.
func (c *conn) handle(ctx context.Context, typ byte, b []byte) error {
	switch typ {
	case 'Q':
		text, err := query(b)
		if err != nil {
			return c.sess.Reject(ctx, err)
		}
		return c.sess.Query(ctx, text)
	case 'P':
		name, text, oids, err := c.dec.parse(b)
		if err != nil {
			return c.sess.Reject(ctx, err)
		}
		if err := c.sess.Parse(ctx, name, text, oids); err != nil {
			return err
		}
		c.out.mark('1')
	case 'B':
		bind, err := c.dec.decodeBind(b)
		if err != nil {
			return c.sess.Reject(ctx, err)
		}
		if err := c.sess.Bind(ctx, bind); err != nil {
			return err
		}
		c.out.mark('2')
	case 'D':
		return c.describe(ctx, b)
	case 'E':
		portal, maxRows, err := c.dec.execute(b)
		if err != nil {
			return c.sess.Reject(ctx, err)
		}
		return c.sess.Execute(ctx, portal, maxRows)
	case 'C':
		kind, name, err := c.dec.target(b, "CLOSE")
		if err != nil {
			return c.sess.Reject(ctx, err)
		}
		if kind == 'S' {
			c.sess.CloseStatement(name)
		} else if err := c.sess.ClosePortal(ctx, name); err != nil {
			return err
		}
		c.out.mark('3')
	case 'S':
		return c.sess.Sync(ctx)
	case 'H':
		return c.out.flush()
	case 'F':
		return c.sess.Reject(ctx, pgerr.New(pgerr.FeatureNotSupported, "the function call protocol is not supported").
			WithHint("Use SELECT function(...)."))
	case 'd', 'c', 'f':
		// Left over from a COPY that failed before the client could know.
	}
	return nil
}

// describe answers Describe: what goes in, and what comes out.
func (c *conn) describe(ctx context.Context, b []byte) error {
	kind, name, err := c.dec.target(b, "DESCRIBE")
	if err != nil {
		return c.sess.Reject(ctx, err)
	}
	if kind == 'S' {
		params, r, err := c.sess.DescribeStatement(ctx, name)
		if err != nil {
			return err
		}
		c.out.describeParams(params)
		if r == nil {
			c.out.mark('n')
		} else {
			c.out.Describe(r)
		}
		return nil
	}
	r, err := c.sess.DescribePortal(ctx, name)
	if err != nil {
		return err
	}
	if r == nil {
		c.out.mark('n')
	} else {
		c.out.Describe(r)
	}
	return nil
}

// CopyIn implements session.Client.
func (c *conn) CopyIn(format int8, columns int) error {
	c.out.send(&pgproto3.CopyInResponse{OverallFormat: byte(format), ColumnFormatCodes: columnFormats(format, columns)})
	return c.out.flush()
}

// CopyNext implements session.Client.
func (c *conn) CopyNext() ([]byte, error) {
	for {
		typ, b, err := c.copyMessage()
		if err != nil {
			return nil, err
		}
		switch typ {
		case 'd':
			return b, nil
		case 'c':
			return nil, io.EOF
		case 'f':
			m := body{b: b}
			why := string(m.text())
			return nil, pgerr.New(pgerr.QueryCanceled, "COPY from stdin failed: %s", why)
		case 'H', 'S':
			// PostgreSQL ignores them: clients send them without knowing of the COPY.
		case 'X':
			return nil, fatal(pgerr.New(pgerr.ConnectionFailure, "unexpected EOF on client connection with an open transaction"))
		default:
			return nil, pgerr.New(pgerr.ProtocolViolation, "unexpected message type 0x%02X during COPY from stdin", typ)
		}
	}
}
