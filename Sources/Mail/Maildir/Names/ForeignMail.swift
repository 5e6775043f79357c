internal import Octets
package import Platform

/// Mail below a directory that lies in no Maildir, as other programs keep it: how many files of each kind.
package struct ForeignMail: Hashable, Sendable {
  /// How mail is kept.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Several messages in a file, each below a line that begins with `From `.
    case mbox
    /// A message in a file whose name is a number.
    case mh = "MH"
    /// A message in a file whose name ends with `.eml`.
    case eml = ".eml"
    /// A message in a file whose name is a number and a dot, as servers of Cyrus have them.
    case cyrus = "Cyrus"
    /// A message in a file of Apple Mail, whose name ends with `.emlx`.
    case apple = ".emlx"
  }

  /// How many files there are of each kind.
  package private(set) var counts: [Kind: Int] = [:]

  /// How many files there are.
  package var total: Int { counts.values.reduce(0, +) }

  /// The kinds with their numbers, for people: `20 mbox, 30 MH`.
  package var text: String {
    Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
      .joined(separator: ", ")
  }

  /// More files than these are not opened.
  private static let limit = 100_000

  /// Looks below a directory, without following links; what cannot be read counts as nothing.
  package init(below root: Path) {
    var waiting = [root]
    var opened = 0
    while let directory = waiting.popLast(), opened < Self.limit {
      var (files, directories): ([[UInt8]], [[UInt8]]) = ([], [])
      _ = try? FileSystem.entries(of: directory) { name, kind in
        if kind == .regular { files.append(Array(name)) }
        if kind == .directory { directories.append(Array(name)) }
      }
      let isMaildir = directories.contains { $0.elementsEqual("cur".utf8) }
      waiting += directories.filter { Self.isLooked(into: $0, in: isMaildir) }
        .map { directory.appending($0) }
      // Beside cur and new are files of the programs that use the Maildir.
      guard !isMaildir else { continue }
      for name in files where Self.mayBeMail(name) {
        opened += 1
        if let kind = Self.kind(of: directory.appending(name), name) {
          counts[kind, default: 0] += 1
        }
      }
    }
  }

  private static func isLooked(into name: [UInt8], in isMaildir: Bool) -> Bool {
    let own = [".", "..", ".magnum", "_magnum", ".notmuch", ".git"]
    if own.contains(where: { name.elementsEqual($0.utf8) }) { return false }
    return !isMaildir || !["cur", "new", "tmp"].contains { name.elementsEqual($0.utf8) }
  }

  private static func mayBeMail(_ name: [UInt8]) -> Bool { name.first != ASCII.dot }

  private static func kind(of path: Path, _ name: [UInt8]) -> Kind? {
    guard let file = try? Descriptor.open(path, .read), let start = try? file.read(atMost: 512)
    else {
      return nil
    }
    if start.starts(with: "From ".utf8) { return .mbox }
    if name.suffix(5).equalsCaseless(".emlx") {
      return start.first.map(ASCII.isDigit) == true ? .apple : nil
    }
    guard beginsWithField(start) else { return nil }
    if name.suffix(4).equalsCaseless(".eml") { return .eml }
    let digits = name.last == ASCII.dot ? name.dropLast() : name[...]
    guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
    return digits.count < name.count ? .cyrus : .mh
  }

  /// Whether a text begins as the header of a message does.
  private static func beginsWithField(_ text: [UInt8]) -> Bool {
    let name = text.prefix { $0 > ASCII.space && $0 < ASCII.delete && $0 != ASCII.colon }
    return !name.isEmpty && name.count < text.count && text[name.count] == ASCII.colon
  }
}
