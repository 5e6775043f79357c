internal import MIME
package import Octets
package import Platform

// A message may lie in several places, in some of them without its attachments.
extension FoundMessage {
  /// The path now of the first file that has all that is attached; of the first one where none has it, nil where all are gone.
  package func currentPath() -> Path? {
    let paths = files.lazy.compactMap { $0.currentPath() }
    let whole = files.count > 1 ? paths.first { Self.isWhole($0) } : nil
    return whole ?? paths.first
  }

  /// Whether these are the octets of a message with all that is attached to it.
  package static func isWhole(_ octets: any OctetSource) -> Bool {
    (try? PartialDetector.isPartial(octets)) == false
  }

  private static func isWhole(_ file: Path) -> Bool {
    guard let octets = try? FileOctets(Descriptor.open(file, .read)) else { return false }
    return isWhole(octets)
  }
}
