package import MailModel
internal import Octets

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
    baseCount = octets.firstIndex(of: ASCII.colon) ?? octets.count
    let info = octets[baseCount...]
    hasInfo = info.starts(with: Self.infoStart)
    let letters =
      hasInfo ? info.dropFirst(Self.infoStart.count).prefix { $0 != ASCII.comma } : octets.suffix(0)
    lettersEnd = letters.endIndex
    (flags, otherLetters) = Self.sort(letters)
  }

  /// A base with flags: always with ":2,", even where there are none.
  package init(base: [UInt8], flags: SystemFlags) {
    self.init(base + Self.infoStart + flags.characters)
  }

  /// What comes before the first colon; identifies the message.
  package var base: [UInt8] { Array(octets[..<baseCount]) }

  /// Whether another name has the same base.
  package func hasBase(of other: FileName) -> Bool {
    octets[..<baseCount] == other.octets[..<other.baseCount]
  }

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

  /// Hashes the base only.
  func hashBase(into hasher: inout Hasher) {
    octets.withUnsafeBytes {
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[..<baseCount]))
    }
  }

  /// Whether there is something before the colon.
  var isBaseEmpty: Bool { baseCount == 0 }

  private static let infoStart = [UInt8](ascii: ":2,")

  private static func sort(_ letters: ArraySlice<UInt8>) -> (SystemFlags, [UInt8]) {
    var flags: SystemFlags = []
    var others: [UInt8] = []
    for letter in letters {
      if let flag = SystemFlags(character: letter) {
        flags.insert(flag)
      } else if !others.contains(letter) {
        others.append(letter)
      }
    }
    others.sort()
    return (flags, others)
  }
}
