internal import Octets

/// Cuts text into words, those of mail and those of queries alike.
///
/// A word is a run of letters, digits and underscores, in small letters and without accents: `Für` is `fur`, `Straße`
/// is `strasse`. Everything else stands between words. Chinese, Japanese and Korean have no spaces: there every two
/// neighbours are a word, and the last character of a run is one too, so that any piece of text can be found.
///
/// A value of its own for each thread, since it remembers what it has looked up.
package struct WordScanner: Sendable {
  /// Longer words are no words: encoded rubbish, mostly.
  package static let lengthLimit = 64

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
        takeASCII(octet, &list)
        index += 1
      } else if let (scalar, length) = Self.decode(text, index) {
        take(scalar, &list)
        index += length
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
    let isPart = ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.underscore
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

  private mutating func take(_ scalar: UInt32, _ list: inout WordList) {
    if Ideographs.contain(scalar) { return takeIdeograph(scalar, &list) }
    switch folding.character(scalar) {
    case .separator: finishWord(&list)
    case .dropped: break
    case .letters(let first, let second):
      if previousIdeograph != nil { finishIdeographs(&list) }
      Self.append(first, to: &word)
      if let second { Self.append(second, to: &word) }
    }
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
    if word.count <= Self.lengthLimit { list.append(word) }
    word.removeAll(keepingCapacity: true)
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
