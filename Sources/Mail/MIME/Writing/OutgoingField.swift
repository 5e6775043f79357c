internal import Octets

/// A field of a message that is being written.
package struct OutgoingField: Hashable, Sendable {
  package let name: [UInt8]

  /// The field with its lines folded and the LF at its end.
  package let octets: [UInt8]

  private init(_ folder: HeaderFolder, _ name: [UInt8]) {
    self.name = name
    octets = folder.octets + [ASCII.lineFeed]
  }

  /// A field of free text, such as Subject; what is not ASCII becomes encoded words.
  ///
  /// Controls in the text become blanks; blanks around it go.
  package init(_ name: [UInt8], text: [UInt8]) {
    var folder = HeaderFolder(name: name)
    for (blanks, word) in UnstructuredText.words(text) { folder.add(word, after: blanks) }
    self.init(folder, name)
  }

  /// A field of addresses, such as To; names and addresses in any script.
  package init(_ name: [UInt8], addresses: [Address]) {
    var folder = HeaderFolder(name: name)
    let lists = addresses.map(Self.words)
    for (number, words) in lists.enumerated() {
      let comma = number + 1 < lists.count ? [ASCII.comma] : []
      for word in words.dropLast() { folder.add(word) }
      folder.add((words.last ?? []) + comma)
    }
    self.init(folder, name)
  }

  /// A field of ids, such as References.
  package init(_ name: [UInt8], ids: [MessageID]) {
    var folder = HeaderFolder(name: name)
    for id in ids { folder.add([ASCII.lessThan] + id.octets + [ASCII.greaterThan]) }
    self.init(folder, name)
  }

  /// A field of words that are right as they are, such as Date and MIME-Version.
  package init(_ name: [UInt8], words: [[UInt8]]) {
    var folder = HeaderFolder(name: name)
    for word in words { folder.add(word) }
    self.init(folder, name)
  }

  /// A field with parameters, such as Content-Type, whose values beyond ASCII become those of RFC 2231; `nil` where more is beyond
  /// ASCII than values for people.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - value: the value of the field, folds undone.
  ///   - decoder: for values in other charsets than UTF-8.
  package init?(_ name: [UInt8], parametersOf value: [UInt8], _ decoder: CharsetDecoder) {
    let head = value.prefix { $0 != ASCII.semicolon }
    let parameters = Parameters(value[head.endIndex...]).written
    guard OctetScan.isASCII(head), !head.isEmpty, !parameters.isEmpty else { return nil }
    var words: [[UInt8]] = []
    for (name, value) in parameters {
      if OctetScan.isASCII(value[...]) {
        words.append(OutgoingParameter.kept(name, value))
      } else {
        guard Self.isForPeople(name) else { return nil }
        // Readers take the extended one of two.
        let isTwice = parameters.contains { $0.name.starts(with: name + [ASCII.asterisk]) }
        guard !isTwice else { continue }
        let pieces = OutgoingParameter.words(name, EncodedWord.decode(value[...], decoder))
        // Between the pieces there are semicolons already.
        words += pieces.dropLast().map { [UInt8]($0.dropLast()) } + pieces.suffix(1)
      }
    }
    guard words.allSatisfy({ OctetScan.isASCII($0[...]) }) else { return nil }
    let type = [UInt8](head.split(whereSeparator: ASCII.isBlank).joined(separator: [ASCII.space]))
    let all = [type] + words
    self.init(name, words: all.dropLast().map { $0 + [ASCII.semicolon] } + all.suffix(1))
  }

  /// Whether programs show the value of the parameter, and do nothing else with it.
  private static func isForPeople(_ name: [UInt8]) -> Bool {
    name.equalsCaseless("name") || name.equalsCaseless("filename")
  }

  /// A field whose value is another field, with its name (RFC 9788 §2.2).
  package init(value field: OutgoingField, in name: [UInt8]) {
    var folder = HeaderFolder(name: name)
    var blanks = 1
    for word in field.octets.filter({ $0 != ASCII.lineFeed })
      .split(separator: ASCII.space, omittingEmptySubsequences: false)
    {
      if word.isEmpty {
        blanks += 1
      } else {
        folder.add([UInt8](word), after: blanks)
        blanks = 1
      }
    }
    self.init(folder, name)
  }

  /// A field of another message, as it is there.
  init(kept field: HeaderField) {
    name = [UInt8](field.name)
    var lines = LineFeeds.only([UInt8](field.raw))
    if lines.last != ASCII.lineFeed { lines.append(ASCII.lineFeed) }
    octets = lines
  }

  private static func words(_ address: Address) -> [[UInt8]] {
    switch address {
    case .mailbox(let mailbox): return words(mailbox)
    case .group(let name, let members):
      var words = HeaderPhrase.words(name)
      words.append((words.popLast() ?? []) + [ASCII.colon])
      for (number, member) in members.enumerated() {
        words += self.words(member)
        if number + 1 < members.count { words[words.count - 1].append(ASCII.comma) }
      }
      words[words.count - 1].append(ASCII.semicolon)
      return words
    }
  }

  private static func words(_ mailbox: Mailbox) -> [[UInt8]] {
    let name = HeaderPhrase.words(mailbox.name)
    // A bare name: an alias, which becomes an address later.
    if mailbox.address.isEmpty, !name.isEmpty { return name }
    guard !name.isEmpty else { return [mailbox.address] }
    return name + [[ASCII.lessThan] + mailbox.address + [ASCII.greaterThan]]
  }
}

/// Free text of a header as the words that stand in its field (RFC 2047 §5).
enum UnstructuredText {
  /// The longest word that is left as it is: a line may hold 998 octets, and a word cannot be broken.
  private static let wordLimit = 900

  /// The words, each with the blanks before it.
  static func words(_ text: [UInt8]) -> [(blanks: Int, word: [UInt8])] {
    var result: [(Int, [UInt8])] = []
    var encoded: [UInt8] = []
    var blanksBefore = 0
    for (blanks, word) in pieces(text) {
      if needsEncoding(word) {
        // Blanks between two encoded words are not seen: they have to stand within one.
        if encoded.isEmpty { blanksBefore = blanks }
        let seen = encoded.isEmpty ? 0 : blanks
        encoded += [UInt8](repeating: ASCII.space, count: seen) + word
      } else {
        result += encodedWords(encoded, after: blanksBefore)
        encoded = []
        result.append((blanks, word))
      }
    }
    return result + encodedWords(encoded, after: blanksBefore)
  }

  private static func encodedWords(_ text: [UInt8], after blanks: Int) -> [(Int, [UInt8])] {
    guard !text.isEmpty else { return [] }
    return EncodedWordWriter.words(text).enumerated().map { ($0 == 0 ? blanks : 1, $1) }
  }

  /// The text cut at its blanks, of which controls are some, with how many are before each word.
  private static func pieces(_ text: [UInt8]) -> [(Int, [UInt8])] {
    var pieces: [(Int, [UInt8])] = []
    var blanks = 0
    for octet in text {
      if ASCII.isControl(octet) || octet == ASCII.space {
        blanks += 1
      } else if blanks > 0 || pieces.isEmpty {
        pieces.append((pieces.isEmpty ? 1 : blanks, [octet]))
        blanks = 0
      } else {
        pieces[pieces.count - 1].1.append(octet)
      }
    }
    return pieces
  }

  private static func needsEncoding(_ word: [UInt8]) -> Bool {
    word.count > wordLimit || EncodedWord.isSuspected(word) || word.contains { $0 >= 0x80 }
  }
}

/// Writes the value of a field as words, and breaks its lines between them (RFC 5322 §2.2.3).
struct HeaderFolder {
  /// Where a line is broken if it can be, in octets without its end.
  ///
  /// A line with an encoded word may not be longer (RFC 2047 §2).
  static let lineLimit = 76

  /// The field without the end of its last line.
  private(set) var octets: [UInt8]

  private var length: Int
  private var isAtStart = true

  /// A field of that name, without a value.
  init(name: [UInt8]) {
    octets = name + [ASCII.colon]
    length = octets.count
  }

  /// Adds a word, behind the blanks that a reader is to see before it.
  ///
  /// The first word stays in the line of the name: some programs lose what is on the next.
  mutating func add(_ word: [UInt8], after blanks: Int = 1) {
    // Whatever it was made of, a word must never begin another field.
    let word = word.map { ASCII.isControl($0) ? ASCII.space : $0 }
    if !isAtStart, blanks > 0, length + blanks + word.count > Self.lineLimit {
      octets.append(ASCII.lineFeed)
      length = 0
    }
    let space = [UInt8](repeating: ASCII.space, count: isAtStart ? 1 : blanks)
    octets += space + word
    length += space.count + word.count
    isAtStart = false
  }
}
