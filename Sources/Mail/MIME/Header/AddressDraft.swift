internal import Octets

/// A mailbox of which the words are being collected.
struct AddressDraft {
  /// Words that may be an address: joined where nothing stands between them but dots and `@`.
  private struct Run {
    var octets: [UInt8] = []
    /// Where the last `@` outside of quotes stands.
    var at: Int?
  }

  /// The words outside of brackets for people, with single spaces.
  private(set) var phrase: [UInt8] = []

  /// The first comment, which is the name where no phrase is.
  var comment: [UInt8]?

  private var runs: [Run] = []
  private var bracketed: Run?
  private(set) var isBracketed = false
  private var isQuoted = false

  var isEmpty: Bool { runs.isEmpty && bracketed == nil && comment == nil }

  /// Whether an address in brackets was read.
  var isClosed: Bool { bracketed != nil }

  /// Whether there are words outside of brackets.
  var hasName: Bool { !phrase.isEmpty }

  /// Whether an `@` was read outside of brackets.
  var hasAddress: Bool { runs.contains { $0.at != nil } || bracketed != nil }

  /// Whether it is words alone, none in quotes, as if a comma had cut a name.
  var isBareName: Bool { hasName && !hasAddress && !isQuoted && comment == nil }

  /// Whether it is the scheme of a URL and nothing else.
  var isScheme: Bool { phrase.equalsCaseless("mailto") && bracketed == nil }

  /// Whether it is within `<@host,@host:`.
  var isInRoute: Bool { isBracketed && bracketed?.octets.first == ASCII.at }

  mutating func openBracket() {
    // A second bracket counts only if the first had nothing in it.
    if bracketed?.octets.isEmpty ?? true { bracketed = Run() }
    isBracketed = true
  }

  mutating func closeBracket() {
    isBracketed = false
  }

  mutating func dropBracketed() {
    bracketed = Run()
  }

  mutating func append(_ word: AddressScanner.Word) {
    if isBracketed {
      AddressDraft.glue(word, to: &bracketed)
      return
    }
    isQuoted = isQuoted || word.isQuoted
    if word.isApart, !phrase.isEmpty { phrase.append(ASCII.space) }
    phrase += word.octets
    appendRun(word)
  }

  /// Puts the first half of a name before this one.
  mutating func prepend(_ name: [UInt8]) {
    phrase = name + [ASCII.comma, ASCII.space] + phrase
  }

  func mailbox(_ decoder: CharsetDecoder) -> Mailbox {
    if let bracketed { return mailbox(phrase, bracketed, decoder) }
    guard let index = runs.lastIndex(where: { $0.at != nil }) else {
      return mailbox(phrase, Run(), decoder)
    }
    var others = runs
    let address = others.remove(at: index)
    return mailbox([UInt8](others.map(\.octets).joined(separator: [ASCII.space])), address, decoder)
  }

  private func mailbox(_ name: [UInt8], _ run: Run, _ decoder: CharsetDecoder) -> Mailbox {
    let name = name.isEmpty ? comment ?? [] : name
    // Without a domain behind it the `@` stays: "ada@" is not the local name "ada".
    let at = run.at.flatMap { $0 + 1 < run.octets.count ? $0 : nil }
    return Mailbox(
      name: AddressDraft.trimmed(EncodedWord.decode(name[...], decoder)),
      localPart: [UInt8](run.octets[..<(at ?? run.octets.count)]),
      domain: at.map { [UInt8](run.octets[($0 + 1)...]) } ?? []
    )
  }

  private mutating func appendRun(_ word: AddressScanner.Word) {
    let joins = [ASCII.dot, ASCII.at]
    let isJoined =
      !word.isApart || word.octets.first.map { joins.contains($0) } ?? false
      || runs.last?.octets.last.map { joins.contains($0) } ?? false
    var run = isJoined ? runs.popLast() : nil
    AddressDraft.glue(word, to: &run)
    runs.append(run ?? Run())
  }

  private static func glue(_ word: AddressScanner.Word, to run: inout Run?) {
    var joined = run ?? Run()
    run = nil
    if !word.isQuoted, word.octets == [ASCII.at] { joined.at = joined.octets.count }
    joined.octets += word.octets
    run = joined
  }

  private static func trimmed(_ name: [UInt8]) -> [UInt8] {
    let start = name.firstIndex { $0 != ASCII.space } ?? name.endIndex
    let end = name.lastIndex { $0 != ASCII.space }.map { $0 + 1 } ?? start
    var trimmed = name[start..<end]
    // Names in apostrophes come from one widespread program, quotation marks from those that encode them with the name.
    for mark in [ASCII.quote, ASCII.apostrophe]
    where trimmed.count > 2 && trimmed.first == mark && trimmed.last == mark {
      trimmed = trimmed.dropFirst().dropLast()
    }
    let hasLoneQuote = trimmed.count { $0 == ASCII.quote } == 1
    return hasLoneQuote ? trimmed.filter { $0 != ASCII.quote } : [UInt8](trimmed)
  }
}
