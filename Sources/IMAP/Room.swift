// The client side of IMAP as a value: octets in, events out; commands in, octets out.
