internal import MailModel
internal import Octets
internal import Platform

extension KeyValue {
  /// A mail address: something, an `@`, something, and no blanks.
  func address() throws(Mistake) -> String {
    let text = try text()
    guard Self.isAddress(text) else {
      throw .badValue("\"\(Printable.text(text.utf8, limit: 100))\" is not a mail address")
    }
    return text
  }

  static func isAddress(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: ASCII.at, omittingEmptySubsequences: false)
    return parts.count >= 2 && parts.allSatisfy { !$0.isEmpty }
      && !text.utf8.contains { $0 == ASCII.space || ASCII.isControl($0) }
  }

  /// A log-in name.
  func user() throws(Mistake) -> String {
    try text()
  }

  /// The value of `imap`.
  func server() throws(Mistake) -> Server {
    try ServerAddress.parse(try text())
  }

  /// The words of a command that speaks with a server; a string goes to the shell.
  func tunnelWords() throws(Mistake) -> [String] {
    switch try command() {
    case .arguments(let words): words
    case .shell(let line): ["/bin/sh", "-c", line]
    }
  }

  /// A program and its arguments, which no shell touches.
  func program() throws(Mistake) -> [String] {
    let words = try strings()
    guard let program = words.first, !program.isEmpty else {
      throw .badValue("must name a program")
    }
    guard !words.contains(where: { $0.utf8.contains(ASCII.null) }) else {
      throw .badValue("contains a NUL")
    }
    return words
  }

  /// The value of `tls-fingerprint`: SHA-256 in hexadecimal digits, with colons or without.
  func fingerprint() throws(Mistake) -> [UInt8] {
    let digits = try text().utf8.filter { $0 != ASCII.colon }
    guard let octets = Hex.decode(digits), octets.count == 32 else {
      throw .badValue(
        "must be the 64 hexadecimal digits of a SHA-256 fingerprint",
        remedy: "openssl x509 -in certificate.pem -noout -fingerprint -sha256 prints it"
      )
    }
    return octets
  }

  /// The value of `authserv-id`: names of servers, as they stand in their fields; empty: of none.
  func serverNames() throws(Mistake) -> [[UInt8]] {
    let texts = try strings()
    for text in texts
    where text.isEmpty || text.utf8.contains(where: { $0 <= ASCII.space || $0 == ASCII.semicolon })
    {
      throw .badValue(
        "\"\(Printable.text(text.utf8, limit: 100))\" is not the name of a server",
        remedy: "it stands first in the fields Authentication-Results of received messages"
      )
    }
    return texts.map { Array($0.utf8) }
  }

  /// A mailbox by its decoded name, `/` between levels.
  func mailbox() throws(Mistake) -> [UInt8] {
    Array(try text().utf8)
  }

  /// The value of `folders`: mailboxes, and the folder of each.
  func folders() throws(Mistake) -> [[UInt8]: [UInt8]] {
    var folders: [[UInt8]: [UInt8]] = [:]
    for (mailbox, folder) in try table() {
      try Self.checkFolder(mailbox, folder, taken: folders.values.contains(Array(folder.utf8)))
      folders[Array(mailbox.utf8)] = Array(folder.utf8)
    }
    return folders
  }

  private static func checkFolder(_ mailbox: String, _ folder: String, taken: Bool) throws(Mistake)
  {
    let shown = Printable.text(folder.utf8, limit: 60)
    guard !mailbox.isEmpty, !mailbox.utf8.equalsCaseless("INBOX") else {
      throw .badValue("INBOX is always the folder INBOX")
    }
    guard !folder.utf8.equalsCaseless("INBOX") else {
      throw .badValue("\"\(shown)\" is the folder of the mailbox INBOX")
    }
    let levels = folder.utf8.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    guard levels.allSatisfy({ !$0.isEmpty }), !folder.utf8.contains(where: ASCII.isControl) else {
      throw .badValue(
        "\"\(shown)\" is not the name of a folder",
        remedy: "write its levels with / between them, as \"Lists/swift\""
      )
    }
    guard !taken else { throw .badValue("two mailboxes have the folder \"\(shown)\"") }
  }

  /// The value of `exclude` and `idle-mailboxes`.
  func patterns() throws(Mistake) -> [MailboxPattern] {
    var patterns: [MailboxPattern] = []
    for text in try strings() {
      if text.hasPrefix("!") {
        throw .badValue(
          "a pattern does not begin with \"!\" here",
          remedy: "write it in include, behind what it is an exception of"
        )
      }
      patterns.append(try Self.pattern(text))
    }
    return patterns
  }

  /// The value of `include`: patterns in their order, of which those with a `!` keep mailboxes out.
  func orderedPatterns() throws(Mistake) -> OrderedPatterns {
    let texts = try strings()
    guard let first = texts.first else {
      throw .badValue("must not be empty", remedy: "[\"*\"] means every mailbox")
    }
    guard !first.hasPrefix("!") else {
      let rest = Printable.text(first.utf8.dropFirst(), limit: 60)
      throw .badValue(
        "\"!\(rest)\" keeps nothing out, since nothing is let in before it",
        remedy: "write exclude = [\"\(rest)\"], or begin with \"*\""
      )
    }
    var entries: [OrderedPatterns.Entry] = []
    for text in texts {
      let admits = !text.hasPrefix("!")
      let pattern = try Self.pattern(admits ? text : String(text.dropFirst()))
      entries.append(OrderedPatterns.Entry(pattern, admits: admits))
    }
    return OrderedPatterns(entries)
  }

  private static func pattern(_ text: String) throws(Mistake) -> MailboxPattern {
    guard !text.isEmpty else { throw .badValue("an empty pattern fits no mailbox") }
    return MailboxPattern(text)
  }

  /// The value of `window`: `all`, or days as in `30d`.
  func window() throws(Mistake) -> SyncWindow {
    let text = try text()
    if text == "all" { return .all }
    if text.hasSuffix("d"), let days = Int(text.dropLast()), (1...36_500).contains(days),
      text.utf8.dropLast().allSatisfy(ASCII.isDigit)
    {
      return .days(days)
    }
    throw .badValue(
      "\"\(Printable.text(text.utf8, limit: 60))\" is no window",
      remedy: "write \"all\" or a number of days from \"1d\" to \"36500d\""
    )
  }

  private static let sizeUnits: [(ending: String, octets: UInt64)] = [
    ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000),
  ]

  /// The value of `daily-limit`: a number of kB, MB or GB.
  func dailyLimit() throws(Mistake) -> UInt64 {
    try size(in: 1_000...1_000_000_000_000, named: "from 1kB to 1000GB", such: "2GB")
  }

  /// The value of `size-limit`, likewise.
  func sizeLimit() throws(Mistake) -> UInt64 {
    try size(in: 100_000...1_000_000_000, named: "from 100kB to 1GB", such: "2MB")
  }

  /// The value of `cache-limit`, likewise, or 0 for nothing.
  func cacheLimit() throws(Mistake) -> UInt64 {
    switch node {
    case .integer(0), .string("0"): return 0
    default: break
    }
    return try size(in: 1_000...1_000_000_000_000, named: "from 1kB to 1000GB", such: "500MB")
  }

  private func size(
    in range: ClosedRange<UInt64>,
    named words: String,
    such example: String
  ) throws(Mistake) -> UInt64 {
    let text = try text()
    if let octets = Self.octets(ofSize: text), range.contains(octets) { return octets }
    throw .badValue(
      "\"\(Printable.text(text.utf8, limit: 60))\" is no size \(words)",
      remedy: "write a number with kB, MB or GB, such as \"\(example)\""
    )
  }

  /// The octets that a number of kB, MB or GB means; nil for any other text.
  static func octets(ofSize text: String) -> UInt64? {
    for unit in sizeUnits where text.hasSuffix(unit.ending) {
      let digits = text.dropLast(unit.ending.count)
      guard digits.utf8.allSatisfy(ASCII.isDigit), let number = UInt64(digits) else { return nil }
      let (octets, isTooLarge) = number.multipliedReportingOverflow(by: unit.octets)
      return isTooLarge ? nil : octets
    }
    return nil
  }

  /// The value of `password-credential`: a file name below `$CREDENTIALS_DIRECTORY`.
  func credential() throws(Mistake) -> String {
    let name = try text()
    guard !name.utf8.contains(ASCII.slash), name != ".", name != ".." else {
      throw .badValue("must be the name of a credential, not a path")
    }
    return name
  }

  /// The value of `password`, which is not used where others can read the file; all that needs no password goes on.
  func inlineSecret() throws(Mistake) -> SecretSource {
    let secret = Array(try string().utf8)
    guard !secret.isEmpty else { throw .badValue("must not be empty") }
    guard !secret.contains(ASCII.lineFeed), !secret.contains(ASCII.carriageReturn) else {
      throw .badValue("must be one line")
    }
    guard let exposure = file.exposure else { return .inline(secret) }
    let problem = SecretError.Problem.untrusted(exposure)
    return .withheld(SecretError(key: key.name, problem: problem, place: place))
  }
}
