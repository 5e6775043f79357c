package import MIME
internal import Octets
package import Platform

extension PartialMark {
  /// Octets of a file in which its field is looked for.
  private static let headLength = 64 << 10

  /// What a file says of itself in its header; nil where it says nothing.
  ///
  /// Whether it is true is another matter.
  package init?(ofFile path: Path) throws(SystemError) {
    let start = try Descriptor.open(path, .read).read(atMost: Self.headLength)
    let text = start.filter { $0 != ASCII.carriageReturn }
    var end = text.startIndex
    while let lineFeed = text[end...].firstIndex(of: ASCII.lineFeed), lineFeed > end {
      end = lineFeed + 1
    }
    guard let value = HeaderSearch.value("X-Magnum-Partial:", in: text[..<end]) else { return nil }
    self.init(value)
  }
}
