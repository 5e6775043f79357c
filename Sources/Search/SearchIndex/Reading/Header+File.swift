package import MIME
package import Platform

extension Header {
  /// More of a file is not read for its header, in octets.
  private static let fileLimit = 1 << 18

  /// The header of a message file; nil where that cannot be read.
  package init?(ofFile path: Path) {
    guard let octets = try? Descriptor.open(path, .read).read(atMost: Self.fileLimit) else {
      return nil
    }
    self = Message(octets).header
  }
}
