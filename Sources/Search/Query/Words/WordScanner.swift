internal import Octets

/// Splits text into words, in the same way for mail and for queries.
///
/// A word is a run of letters and digits, in lowercase and without accents: `Für` is `fur`, `Straße` is `strasse`. Everything
/// else separates words, with two exceptions. Each picture (`😀`) is a word, and `C++` and `C#` are words beside `C`. `U.S.A.`
/// is `usa`.
///
/// Chinese, Japanese, Korean and Thai have no spaces: there every two neighbours are a word. The last character of a run is one
/// too, so that any piece of text can be found. The end of a line does not separate Chinese and Japanese characters. Letters of
/// other forms count as the usual ones: `ﬁ`, `𝐁`, `²`.
///
/// A value of its own for each thread, since it remembers what it has looked up.
package struct WordScanner: Sendable {
  /// Longer words are no words: encoded rubbish, mostly.
  package static let lengthLimit = 64

  /// The same in octets, for scripts that need three of them for a letter.
  private static let octetLimit = 192

  private var folding = Folding()
  private var word: [UInt8] = []
  private var previousIdeograph: UInt32?

  /// A scanner with nothing looked up yet.
  package init() {
    word.reserveCapacity(256)
  }

  /// Adds the words of a text (UTF-8) to a list, in their order.
  ///
  /// Octets that are not UTF-8 stand between words.
  package mutating func scan(_ text: some Collection<UInt8>, into list: inout WordList) {
    let wasContiguous: Void? = text.withContiguousStorageIfAvailable { scan($0, into: &list) }
    guard wasContiguous == nil else { return }
    Array(text).withUnsafeBufferPointer { scan($0, into: &list) }
  }

  /// The words of a text, one by one.
  package mutating func words(_ text: some Collection<UInt8>) -> [[UInt8]] {
    var list = WordList()
    scan(text, into: &list)
    return list.words
  }

  private mutating func scan(_ text: UnsafeBufferPointer<UInt8>, into list: inout WordList) {
    let ascii = Self.ascii
    var index = 0
    while index < text.count {
      let octet = text[index]
      if octet < 0x80 {
        let letter = ascii[Int(octet)]
        if letter != 0 {
          if word.isEmpty {
            if letter != octet, let end = Self.endOfInitials(text, index) {
              takeInitials(text[index..<end], &list)
              index = end
              continue
            }
            if previousIdeograph != nil { finishIdeographs(&list) }
          }
          word.append(letter)
          index += 1
        } else {
          index = takeSeparator(octet, text, index, &list)
        }
      } else if let (first, length) = Self.decode(text, index) {
        index += length
        if Self.isPlain(first) {
          takeScalar(first, &list)
          continue
        }
        var scalar = Kana.widened(first)
        if (0x3046...0x30FF).contains(scalar), let (mark, length) = Self.decode(text, index),
          let voiced = Kana.voiced(scalar, by: mark)
        {
          scalar = voiced
          index += length
        }
        while Hangul.isOpen(scalar), let (next, length) = Self.decode(text, index),
          let syllable = Hangul.joined(scalar, next)
        {
          scalar = syllable
          index += length
        }
        if Self.marksHebrew(scalar), isWithinHebrew(text, index) { continue }
        if let letters = CompatibilityLetters.written(scalar) {
          for letter in letters { takeScalar(letter, &list) }
        } else {
          takeScalar(scalar, &list)
        }
      } else {
        finishWord(&list)
        index += 1
      }
    }
    finishWord(&list)
  }

  /// What each ASCII octet is in a word; 0 where it stands between words.
  private static let ascii: [UInt8] = (0..<128).map { octet in
    let octet = UInt8(octet)
    let isPart = ASCII.isLetter(octet) || ASCII.isDigit(octet)
    return isPart ? ASCII.lowercased(octet) : 0
  }

  /// Takes an octet that is no letter or digit; gives where the text goes on.
  @inline(__always)
  private mutating func takeSeparator(
    _ octet: UInt8,
    _ text: UnsafeBufferPointer<UInt8>,
    _ index: Int,
    _ list: inout WordList
  ) -> Int {
    switch octet {
    case ASCII.space: break
    case ASCII.lineFeed, ASCII.carriageReturn:
      if previousIdeograph != nil, let next = nextLine(text, index) { return next }
    case ASCII.quote, ASCII.apostrophe:
      if isWithinHebrew(text, index + 1) { return index + 1 }
    case ASCII.plus, ASCII.hash:
      if !word.isEmpty { takeSuffix(text[index...], &list) }
    default: break
    }
    finishWord(&list)
    return index + 1
  }

  /// Whether a character is a letter as it is usually written: Cyrillic, or one of most Chinese ones.
  @inline(__always)
  private static func isPlain(_ scalar: UInt32) -> Bool {
    (0x400...0x586).contains(scalar) || (0x3400...0x9FFF).contains(scalar)
  }

  /// Takes the end of `C++` or `C#`: the word without it comes first, the one with it is next.
  private mutating func takeSuffix(
    _ text: Slice<UnsafeBufferPointer<UInt8>>,
    _ list: inout WordList
  ) {
    let suffix = text.prefix(3).prefix { $0 == ASCII.plus || $0 == ASCII.hash }
    let isWhole = suffix.endIndex == text.endIndex || Self.endsSuffix(text[suffix.endIndex])
    guard isWhole, suffix.count == 2 || suffix.elementsEqual([ASCII.hash]) else { return }
    let long = word + suffix
    finishLetters(&list)
    if long.count <= Self.lengthLimit { list.append(long) }
  }

  /// Where a line goes on that ends at an index between two Chinese or Japanese characters; nil where it does not.
  ///
  /// Signs of quotation at its beginning do not part them either.
  private func nextLine(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    var next = index
    if text[next] == ASCII.carriageReturn { next += 1 }
    guard next < text.count, text[next] == ASCII.lineFeed, let previousIdeograph,
      Ideographs.crossLines(previousIdeograph)
    else { return nil }
    next += 1
    if next < text.count, text[next] == ASCII.greaterThan {
      while next < text.count, text[next] == ASCII.greaterThan || text[next] == ASCII.space {
        next += 1
      }
    }
    guard let (scalar, _) = Self.decode(text, next), Ideographs.crossLines(scalar) else {
      return nil
    }
    return next
  }

  /// Where capitals with points between them end, such as `U.S.A`; nil where there are none.
  private static func endOfInitials(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    guard index + 2 < text.count, text[index + 1] == ASCII.dot else { return nil }
    let isInitial = { (place: Int) in
      guard place < text.count, (0x41...0x5A).contains(text[place]) else { return false }
      return place + 1 >= text.count || text[place + 1] < 0x80 && ascii[Int(text[place + 1])] == 0
    }
    guard isInitial(index) else { return nil }
    var end = index + 1
    while end < text.count, text[end] == ASCII.dot, isInitial(end + 1) { end += 2 }
    return end > index + 1 ? end : nil
  }

  private mutating func takeInitials(
    _ text: Slice<UnsafeBufferPointer<UInt8>>,
    _ list: inout WordList
  ) {
    if previousIdeograph != nil { finishIdeographs(&list) }
    for octet in text where octet != ASCII.dot { word.append(ASCII.lowercased(octet)) }
    finishLetters(&list)
  }

  /// Whether a character stands between Hebrew letters as quotation marks do: in abbreviations and for sounds.
  private static func marksHebrew(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x5F3, 0x5F4, 0x2018...0x201A, 0x201C...0x201E: true
    default: false
    }
  }

  /// Whether the word so far ends with a Hebrew letter, and another one follows at an index.
  private func isWithinHebrew(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard HebrewLetters.end(word[...]), index + 1 < text.count else { return false }
    return HebrewLetters.begin(text[index], text[index + 1])
  }

  private static func endsSuffix(_ octet: UInt8) -> Bool {
    octet < 0x80 && ascii[Int(octet)] == 0 && octet != ASCII.plus && octet != ASCII.hash
  }

  private mutating func takeScalar(_ scalar: UInt32, _ list: inout WordList) {
    if Ideographs.contain(scalar) { return takeIdeograph(scalar, &list) }
    if scalar > 0x2190, Self.isPicture(scalar) {
      finishWord(&list)
      Self.append(scalar, to: &word)
      return finishLetters(&list)
    }
    switch folding.character(scalar) {
    case .separator: finishWord(&list)
    case .dropped: break
    case .letters(let first, let second):
      if previousIdeograph != nil { finishIdeographs(&list) }
      Self.append(first, to: &word)
      if let second { Self.append(second, to: &word) }
    }
  }

  /// Whether a character is a picture; those that only colour one are none.
  private static func isPicture(_ scalar: UInt32) -> Bool {
    guard !(0x1F3FB...0x1F3FF).contains(scalar) else { return false }
    return Unicode.Scalar(scalar)?.properties.isEmoji ?? false
  }

  private mutating func takeIdeograph(_ scalar: UInt32, _ list: inout WordList) {
    if !word.isEmpty { finishLetters(&list) }
    if let previousIdeograph {
      var pair: [UInt8] = []
      Self.append(previousIdeograph, to: &pair)
      Self.append(scalar, to: &pair)
      list.append(pair)
    }
    previousIdeograph = scalar
  }

  @inline(__always)
  private mutating func finishWord(_ list: inout WordList) {
    if !word.isEmpty { finishLetters(&list) }
    if previousIdeograph != nil { finishIdeographs(&list) }
  }

  private mutating func finishLetters(_ list: inout WordList) {
    if word.count <= Self.lengthLimit || isShort { list.append(word) }
    word.removeAll(keepingCapacity: true)
  }

  /// Whether a word of many octets has few letters.
  private var isShort: Bool {
    word.count <= Self.octetLimit && word.count { $0 & 0xC0 != 0x80 } <= Self.lengthLimit
  }

  private mutating func finishIdeographs(_ list: inout WordList) {
    guard let last = previousIdeograph else { return }
    var single: [UInt8] = []
    Self.append(last, to: &single)
    list.append(single)
    previousIdeograph = nil
  }

  private static func append(_ scalar: UInt32, to octets: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(scalar) else { return }
    if scalar.isASCII { return octets.append(UInt8(scalar.value)) }
    octets += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
  }

  /// The character that begins with an octet above 127, and its length; nil for what is not UTF-8.
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>,
    _ index: Int
  ) -> (UInt32, Int)? {
    guard index < text.count else { return nil }
    let first = UInt32(text[index])
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first < 0xF5, index + length <= text.count else { return nil }
    var scalar = first & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for offset in 1..<length {
      let next = UInt32(text[index + offset])
      guard next & 0xC0 == 0x80 else { return nil }
      scalar = scalar << 6 | next & 0x3F
    }
    return (scalar, length)
  }
}
