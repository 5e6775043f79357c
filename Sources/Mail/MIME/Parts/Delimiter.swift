/// A line that ends a part: `--` and a boundary (RFC 2046 §5.1.1).
struct Delimiter {
  /// Which of the open multiparts it belongs to, 0 for the outermost.
  let level: Int

  /// Whether it ends the multipart and not only a part of it.
  let isClose: Bool

  /// Where the content before it ends: before the line end that belongs to the delimiter.
  let contentEnd: Int

  /// Where the line behind it begins.
  let next: Int
}
