internal import Octets

/// Text files with a title line on top and a checksum line at the end.
enum TextFile {
  /// The first line of a file: its kind and the version of its format.
  struct Title {
    let kind: [UInt8]
    let version: UInt32
    /// The newest version that can be read and written: where a file holds what programs of before do not know.
    let newest: UInt32

    init(_ kind: String, version: UInt32, newest: UInt32? = nil) {
      self.kind = Array(kind.utf8)
      self.version = version
      self.newest = newest ?? version
    }

    var octets: [UInt8] { octets(isNewest: false) }

    func octets(isNewest: Bool) -> [UInt8] {
      kind + [ASCII.space] + [UInt8](decimal: isNewest ? newest : version)
    }

    /// What is wrong with a line that should be this title; nil when nothing is.
    func problem(of line: ArraySlice<UInt8>) -> StateError.Problem? {
      var reader = LineReader(line)
      guard let word = reader.word(), word.elementsEqual(kind),
        let found = reader.number(UInt32.self), reader.isAtEnd
      else { return .wrongKind }
      if (version...newest).contains(found) { return nil }
      return found < version ? .olderVersion : .newerVersion
    }
  }

  private static let end = Array("end ".utf8)
  private static let checksumLength = 8

  /// The octets followed by the line that seals them.
  static func seal(_ octets: [UInt8]) -> [UInt8] {
    var checksum = CRC32C()
    checksum.update(octets)
    return octets + seal(checksum)
  }

  /// The line that seals octets of that checksum.
  static func seal(_ checksum: CRC32C) -> [UInt8] {
    end + digits(checksum.value) + [ASCII.lineFeed]
  }

  /// Octets of the line that seals.
  static let sealLength = end.count + checksumLength + 1

  /// What stands before the line that seals, which has to be the last one; nil where it is none.
  static func body(of octets: [UInt8]) -> ArraySlice<UInt8>? {
    let bodyEnd = octets.count - sealLength
    guard bodyEnd >= 0, octets.last == ASCII.lineFeed, octets[bodyEnd...].starts(with: end) else {
      return nil
    }
    return octets[..<bodyEnd]
  }

  /// What stands between title and seal, each line with its line end.
  ///
  /// All versions have the seal: without it a greater number is damage, and not the work of a newer program.
  ///
  /// - Throws: `StateError` when title or checksum are not right.
  static func open(
    _ octets: [UInt8],
    title: Title
  ) throws(StateError) -> ArraySlice<UInt8> {
    let line = octets.prefix { $0 != ASCII.lineFeed }
    let problem = title.problem(of: line)
    if let problem, problem != .newerVersion { throw StateError(line: 1, problem: problem) }
    guard let body = body(of: octets), body.count > line.count else {
      throw StateError(problem: .truncated)
    }
    guard octets[(body.endIndex + end.count)...].dropLast().elementsEqual(checksum(body)) else {
      throw StateError(problem: .checksum)
    }
    if let problem { throw StateError(line: 1, problem: problem) }
    return body[(line.count + 1)...]
  }

  /// The checksum of octets as 8 hexadecimal digits.
  static func checksum(_ octets: some Collection<UInt8>) -> [UInt8] {
    digits(CRC32C.of(octets))
  }

  private static func digits(_ checksum: UInt32) -> [UInt8] {
    Array(Hex.digits(UInt64(checksum)).suffix(checksumLength))
  }
}
