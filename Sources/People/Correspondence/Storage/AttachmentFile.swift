internal import MIME
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

  /// A file of all that a part holds (`StreamedMessage.content`), by the name that it is to have.
  package init(_ content: any OctetSource, name: [UInt8]) {
    self.content = content
    self.name = name
  }

  /// Writes it into a directory, under its name or that with a number; never over a file that is there.
  ///
  /// It gets that name when it is whole: until then a hidden file of another name is there.
  /// - Parameters:
  ///   - directory: where it is put.
  ///   - interruption: ends the work.
  /// - Returns: where it is; only the user may read it.
  /// - Throws: the error of writing it; then nothing is left of it.
  package func save(
    in directory: Path,
    _ interruption: Interruption = .shared
  ) throws(SystemError) -> Path {
    let random = String(UInt64.random(in: 0...(.max)), radix: 36)
    let unfinished = directory.appending(".magnum-\(random).part")
    do throws(SystemError) {
      try write(unfinished, interruption)
      return try name(unfinished, in: directory)
    } catch {
      try? FileSystem.remove(unfinished)
      guard error.path == unfinished else { throw error }
      // It says nothing to people.
      throw SystemError(
        operation: error.operation,
        path: directory.appending(NumberedName.of(name, 1)),
        code: error.code
      )
    }
  }

  /// Gives a file the first name that is free.
  private func name(_ file: Path, in directory: Path) throws(SystemError) -> Path {
    var number = 1
    while true {
      let path = directory.appending(NumberedName.of(name, number))
      do throws(SystemError) {
        try FileSystem.renameWithoutReplacing(file, to: path)
        return path
      } catch {
        guard error.isAlreadyThere, number < Self.nameLimit else { throw error }
        number += 1
      }
    }
  }

  private func write(_ path: Path, _ interruption: Interruption) throws(SystemError) {
    let file = try Descriptor.open(path, .createExclusive(0o600))
    for start in stride(from: 0, to: content.count, by: Self.pieceSize) {
      try interruption.check("write", path)
      let range = start..<min(start + Self.pieceSize, content.count)
      let piece = try SystemError.reading { () throws(SourceError) in
        try content.octets(in: range)
      }
      try file.write(all: piece)
    }
    try file.close()
  }
}

/// Names for a file that must not take the place of another.
package enum NumberedName {
  /// The name itself for 1, `report (2).pdf` for 2, and so on; never longer than file systems allow.
  package static func of(_ name: [UInt8], _ number: Int) -> [UInt8] {
    guard number > 1 else { return name }
    let dot = name.lastIndex(of: ASCII.dot).flatMap { $0 > 0 && name.count - $0 <= 20 ? $0 : nil }
    let ending = dot.map { [UInt8](name[$0...]) } ?? []
    let mark = [UInt8](" (\(number))".utf8)
    var stem = name[..<(dot ?? name.count)]
    // Whole characters go.
    while stem.count + mark.count + ending.count > SafeFileName.lengthLimit {
      while let last = stem.popLast(), last & 0xC0 == 0x80 {}
    }
    return [UInt8](stem) + mark + ending
  }
}
