/// What a part is for in its message.
package enum PartRole: Sendable, Hashable {
  /// It holds other parts: a multipart.
  case container
  /// Text to read: text without a name that does not ask to be an attachment.
  case body
  /// Shown within a body that names it by its Content-ID (RFC 2392).
  case inline
  /// A file or message to open or save.
  case attachment
  /// The signature over another part (RFC 1847).
  case signature
}
