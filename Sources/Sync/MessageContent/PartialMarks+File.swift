package import MIME
internal import Octets
package import Platform

extension PartialMarks {
  /// Octets of a file in which the field of its header is looked for.
  private static let headLength = 64 << 10

  /// What a file says of itself in its header; nil where it says nothing.
  package static func field(ofFile path: Path) throws(SystemError) -> Field? {
    let start = try Descriptor.open(path, .read).read(atMost: headLength)
    return PartialDetector.marks(in: start).fields.first { !$0.isInside }
  }
}
