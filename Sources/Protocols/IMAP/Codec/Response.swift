/// One response of the server, or one step of a streamed one, before the session judged it.
enum Response {
  case tagged(CommandTag, StatusResponse)
  /// An untagged OK, NO, BAD, PREAUTH or BYE.
  case status(StatusResponse)
  /// `+` and what follows it.
  case continuation(ArraySlice<UInt8>)
  /// Data that is complete as it is.
  case data(Event)
  /// A FETCH that ends for now at a body of that size, which follows on the wire.
  case body(FetchParser, size: UInt64)
  /// A FETCH that is complete; the parser may hold an inline body.
  case fetch(FetchParser)
  /// A response that is not needed.
  case ignored
}
