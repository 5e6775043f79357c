package import MailModel
internal import Octets
package import Platform

/// The name of a message in a Maildir: a base that never changes, and the flags behind it.
///
/// `1700000000.V17U5.0123456789abcdef,S=1234,W=1260:2,FS`
package struct FileName: Hashable, Sendable {
  /// The whole name.
  package let octets: [UInt8]

  /// Whether flags can be read from the name: it has ":2,".
  package let hasInfo: Bool

  /// The flags that the name shows; none where it has no info.
  package let flags: SystemFlags

  /// Letters that mean nothing here, such as Dovecot's lower-case keywords: sorted, each once.
  package let otherLetters: [UInt8]

  private let baseCount: Int
  private let lettersEnd: Int

  /// Takes a name apart; every name is acceptable.
  package init(_ octets: [UInt8]) {
    self.octets = octets
    let outline = octets.withUnsafeBytes { Outline($0) }
    baseCount = outline.baseCount
    hasInfo = outline.hasInfo
    flags = outline.flags
    lettersEnd = outline.lettersEnd
    otherLetters = Self.otherLetters(octets[outline.letters])
  }

  /// A base with flags: always with ":2,", even where there are none.
  package init(base: [UInt8], flags: SystemFlags) {
    self.init(base + Self.infoStart + flags.characters)
  }

  /// What comes before the first colon; identifies the message.
  package var base: [UInt8] { Array(octets[..<baseCount]) }

  /// The name with another base and all that stands behind it; nil leaves it as it is.
  package func with(base: [UInt8]?) -> FileName {
    base.map { FileName($0 + octets[baseCount...]) } ?? self
  }

  /// The name of the same message with other flags.
  ///
  /// Other letters stay, and so does what another program has put behind a second comma. The letters come in ASCII
  /// order; but the name stays as it is, octet by octet, where it already shows these flags.
  package func with(flags: SystemFlags) -> FileName {
    if hasInfo, flags == self.flags { return self }
    let letters = (flags.characters + otherLetters).sorted()
    return FileName(base + Self.infoStart + letters + octets[lettersEnd...])
  }

  package static func == (left: FileName, right: FileName) -> Bool {
    left.octets == right.octets
  }

  package func hash(into hasher: inout Hasher) {
    octets.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  private static let infoStart = [UInt8](ascii: ":2,")

  /// Letters that mean nothing here, sorted, each once.
  private static func otherLetters(_ letters: ArraySlice<UInt8>) -> [UInt8] {
    var others: [UInt8] = []
    for letter in letters where SystemFlags(character: letter) == nil && !others.contains(letter) {
      others.append(letter)
    }
    others.sort()
    return others
  }

  /// What is where in a name.
  struct Outline {
    /// The octets before the first colon.
    let baseCount: Int
    /// Whether the name has ":2,".
    let hasInfo: Bool
    /// Where the letters behind it end; the end of the name where it has no info.
    let lettersEnd: Int
    /// The flags that the letters stand for.
    let flags: SystemFlags

    /// Takes a name apart.
    init(_ name: UnsafeRawBufferPointer) {
      let colon = OctetScan.index(of: ASCII.colon, in: name, from: 0, to: name.count)
      baseCount = colon
      hasInfo =
        colon + 2 < name.count && name[colon + 1] == UInt8(ascii: "2")
        && name[colon + 2] == ASCII.comma
      var flags = SystemFlags()
      var end = hasInfo ? colon + 3 : name.count
      while end < name.count, name[end] != ASCII.comma {
        if let flag = SystemFlags(character: name[end]) { flags.insert(flag) }
        end += 1
      }
      lettersEnd = end
      self.flags = flags
    }

    /// Where the letters stand; empty where the name has no info.
    var letters: Range<Int> { hasInfo ? baseCount + 3..<lettersEnd : lettersEnd..<lettersEnd }
  }
}

/// Something in new or cur that is not counted as a message.
package enum Oddity: Hashable, Sendable {
  /// A directory, pipe or symbolic link in the place of a file.
  case notAFile(ScannedFile, EntryKind)

  /// A name with nothing before the colon.
  case noBase(ScannedFile)

  /// Two files with the same base; the first counts.
  case duplicate(kept: ScannedFile, other: ScannedFile)
}
