internal import Octets

/// A file of another program, as it was read.
package struct ForeignFile: Hashable, Sendable {
  /// The name that people are shown.
  package let name: String
  /// What stands in it.
  package let octets: [UInt8]

  /// A file that was read.
  package init(name: String, octets: [UInt8]) {
    self.name = Printable.text(name.utf8)
    self.octets = octets
  }

  /// The most lines that are read; hostile files have more.
  private static let lineLimit = 5_000

  /// What is said of a file that is longer than what is read of it; nil where it is not.
  var lengthRemark: Remark? {
    guard octets.count(where: { $0 == ASCII.lineFeed }) > Self.lineLimit else { return nil }
    return malformed(Self.lineLimit, "only the first \(Self.lineLimit) lines are read")
  }

  /// The lines without their ends, each with its number from 1.
  var lines: [(number: Int, octets: ArraySlice<UInt8>)] {
    octets.split(
      separator: ASCII.lineFeed,
      maxSplits: Self.lineLimit,
      omittingEmptySubsequences: false
    ).prefix(Self.lineLimit).enumerated().map {
      ($0 + 1, $1.last == ASCII.carriageReturn ? $1.dropLast() : $1)
    }
  }

  /// The octets as text; nil where they are not UTF-8, or hold control characters.
  static func text(_ octets: some Collection<UInt8>) -> String? {
    guard !octets.contains(where: { ASCII.isControl($0) && $0 != ASCII.tab }) else { return nil }
    return String(validating: octets, as: UTF8.self)
  }

  /// A line that is nothing the program could read.
  func malformed(_ line: Int, _ text: String) -> Remark {
    Remark(file: name, line: line, directive: nil, kind: .malformed, text: text)
  }

  static let notText = "not UTF-8, or with control characters: passed over"
}

/// The program that a file belongs to.
package enum ForeignKind: String, Hashable, Sendable, CaseIterable {
  case mbsync
  case offlineIMAP = "offlineimap"
  case msmtp
  case notmuch
  case goimapnotify
}

extension ForeignFile {
  /// The program, told by what stands in the file; nil where it is none of them.
  package var kind: ForeignKind? {
    for (_, line) in lines {
      let line = line.drop(while: ASCII.isBlank)
      guard let first = line.first, first != ASCII.hash, first != ASCII.semicolon else { continue }
      let word = line.prefix { !ASCII.isBlank($0) && $0 != ASCII.equals && $0 != ASCII.colon }
      if let kind = Self.kind(line, word.map(ASCII.lowercased)) { return kind }
    }
    return nil
  }

  private static func kind(_ line: ArraySlice<UInt8>, _ word: [UInt8]) -> ForeignKind? {
    if line.first == ASCII.openBracket {
      let isOffline = ["[general]", "[default]", "[account ", "[repository "].contains {
        line.map(ASCII.lowercased).starts(with: $0.utf8)
      }
      let isNotmuch = ["[database]", "[user]", "[new]", "[maildir]"].contains {
        line.starts(with: $0.utf8)
      }
      let inner = line.dropFirst().drop(while: ASCII.isBlank).first
      let isList = inner == nil || inner == ASCII.openBrace
      return isOffline ? .offlineIMAP : isNotmuch ? .notmuch : isList ? .goimapnotify : nil
    }
    if line.first == ASCII.openBrace || word.elementsEqual("configurations".utf8) {
      return .goimapnotify
    }
    let text = String(decoding: word, as: UTF8.self)
    if text == "account", isOfOther(line.dropFirst(word.count)) { return nil }
    return mbsyncWords.contains(text) ? .mbsync : msmtpWords.contains(text) ? .msmtp : nil
  }

  /// Whether something stands behind the name of an account, as in configurations of fdm; msmtp has a colon there.
  private static func isOfOther(_ rest: ArraySlice<UInt8>) -> Bool {
    let rest = rest.drop(while: ASCII.isBlank)
    let isQuoted = rest.first == ASCII.quote
    let name =
      isQuoted
      ? rest.dropFirst().prefix { $0 != ASCII.quote }
      : rest.prefix { !ASCII.isBlank($0) && $0 != ASCII.colon }
    let behind = rest.dropFirst(name.count + (isQuoted ? 2 : 0)).drop(while: ASCII.isBlank)
    return behind.first.map { $0 != ASCII.colon } ?? false
  }

  private static let mbsyncWords = ["imapaccount", "imapstore", "maildirstore", "channel", "group"]
  private static let msmtpWords = ["defaults", "account", "host", "tls", "auth", "from"]
}
