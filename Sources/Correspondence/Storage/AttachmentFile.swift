package import Octets
package import Platform

/// A part of a message as a file of its own.
package struct AttachmentFile {
  /// How many names are tried.
  private static let nameLimit = 10_000

  /// How much is written at once, in octets.
  private static let pieceSize = 1 << 20

  private let content: any OctetSource
  private let name: [UInt8]

  /// A file of all that a part holds (`ThinMessage.content`), by the name that it is to have.
  package init(_ content: any OctetSource, name: [UInt8]) {
    self.content = content
    self.name = name
  }

  /// Writes it into a directory, under its name or that with a number; never over a file that is there.
  ///
  /// - Returns: where it is; only the user may read it.
  /// - Throws: the error of writing it; then nothing is left of it.
  package func save(in directory: Path) throws(SystemError) -> Path {
    var number = 1
    while true {
      let path = directory.appending(NumberedName.of(name, number))
      do throws(SystemError) {
        let file = try Descriptor.open(path, .createExclusive(0o600))
        try write(to: file, path)
        try file.close()
        return path
      } catch {
        guard error.isAlreadyThere, number < Self.nameLimit else { throw error }
        number += 1
      }
    }
  }

  private func write(
    to file: borrowing Descriptor,
    _ path: Path
  ) throws(SystemError) {
    do throws(SystemError) {
      for start in stride(from: 0, to: content.count, by: Self.pieceSize) {
        let range = start..<min(start + Self.pieceSize, content.count)
        let piece = try SystemError.reading { () throws(SourceError) in
          try content.octets(in: range)
        }
        try file.write(all: piece)
      }
    } catch {
      try? FileSystem.remove(path)
      throw error
    }
  }
}
