// Byte streams: resolve, connect, TLS, deadlines.
