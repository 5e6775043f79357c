internal import MIME
internal import Octets
package import Platform
internal import SyncState

// A message may lie in several places, in some of them without its attachments.
extension FoundMessage {
  /// The path now of the first file that has all that is attached; of the first one where none has it, nil where all are gone.
  package func currentPath() -> Path? {
    let paths = files.lazy.compactMap { $0.currentPath() }
    let whole = files.count > 1 ? paths.first { Self.isWhole($0) } : nil
    return whole ?? paths.first
  }

  /// Whether octets of it, as an archive has them, are those of a partial file: what the machine of the archive found sealed.
  package func isPartial(_ octets: [UInt8]) -> Bool {
    tags.contains(.partial) && !PartialDetector.marks(in: octets).isEmpty
  }

  private static func isWhole(_ file: Path) -> Bool {
    (try? PartialFiles(above: file).finding(file: file)) == .whole
  }
}
