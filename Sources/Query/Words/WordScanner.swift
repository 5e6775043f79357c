internal import Octets

/// Cuts text into words, those of mail and those of queries alike.
///
/// A word is a run of letters and digits, in small letters and without accents: `Für` is `fur`, `Straße` is `strasse`.
/// Everything else stands between words, but for pictures (`😀`), each of which is a word, and for what makes `C++` and
/// `C#` other words than `C`: both are there then. Chinese, Japanese, Korean and Thai have no spaces: there every two
/// neighbours are a word, and the last character of a run is one too, so that any piece of text can be found.
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
    var index = 0
    while index < text.count {
      let octet = text[index]
      if octet < 0x80 {
        if octet == ASCII.plus || octet == ASCII.hash, !word.isEmpty {
          takeSuffix(text[index...], &list)
        }
        takeASCII(octet, &list)
        index += 1
      } else if let (first, length) = Self.decode(text, index) {
        index += length
        var scalar = Kana.widened(first)
        if (0x3046...0x30FF).contains(scalar), let (mark, length) = Self.decode(text, index),
          let voiced = Kana.voiced(scalar, by: mark)
        {
          scalar = voiced
          index += length
        }
        take(scalar, &list)
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

  @inline(__always)
  private mutating func takeASCII(_ octet: UInt8, _ list: inout WordList) {
    let letter = Self.ascii[Int(octet)]
    if letter == 0 {
      finishWord(&list)
    } else {
      if previousIdeograph != nil { finishIdeographs(&list) }
      word.append(letter)
    }
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

  private static func endsSuffix(_ octet: UInt8) -> Bool {
    octet < 0x80 && ascii[Int(octet)] == 0 && octet != ASCII.plus && octet != ASCII.hash
  }

  private mutating func take(_ scalar: UInt32, _ list: inout WordList) {
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
