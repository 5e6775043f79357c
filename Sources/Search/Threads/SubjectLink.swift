internal import Octets

/// A subject as it links messages that have nothing else to be linked by.
package struct SubjectLink: Hashable, Sendable {
  /// The key of the subject without marks, in small letters, white space made equal.
  package let key: LinkKey

  /// Whether the subject has a mark of an answer or of passing on, such as `Re:`.
  package let isReply: Bool

  package init(key: LinkKey, isReply: Bool) {
    self.key = key
    self.isReply = isReply
  }

  /// The link of a subject (UTF-8); nil where nothing is left of it without its marks, or what strangers write as well.
  package init?(_ subject: [UInt8]) {
    let base = SubjectBase(subject)
    let folded = String(decoding: base.text, as: UTF8.self).lowercased()
    guard !Self.isCommon(folded) else { return nil }
    key = LinkKey(id: folded.utf8)
    isReply = base.isReply
  }

  /// Whether a subject is none: without a letter or digit, put there by a program for want of one, or a greeting.
  private static func isCommon(_ subject: String) -> Bool {
    let isMark = { (scalar: Unicode.Scalar) in
      scalar.isASCII && !scalar.properties.isAlphabetic
        && scalar.properties.numericType == nil
    }
    let scalars = subject.unicodeScalars
    var bare = scalars[...].drop(while: isMark)
    while let last = bare.last, isMark(last) { bare.removeLast() }
    return bare.isEmpty || common.contains(String(bare))
  }

  /// In small letters, without marks around them.
  private static let common: Set<String> = [
    "no subject", "subject unavailable", "encrypted message", "encrypted", "secure message",
    "kein betreff", "ohne betreff", "sans objet", "aucun objet", "sin asunto", "nessun oggetto",
    "geen onderwerp", "sem assunto", "brak tematu", "inget ämne", "без темы", "无主题", "無主旨", "件名なし",
    "test", "testing", "test message", "hi", "hello", "hey", "hallo", "hola", "bonjour", "ciao",
    "salut",
  ]
}

/// A Message-ID, or any other name that links messages, as 64 bits.
///
/// Ids may have thousands of octets and are kept with every message that refers to them; two of them have the same
/// key by accident about once in a billion mailboxes.
package struct LinkKey: Hashable, Sendable, Comparable {
  /// The bits.
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The key of a Message-ID without its angle brackets; compared octet by octet.
  package init(id: some Sequence<UInt8>) {
    rawValue = Hash64.of(id)
  }

  /// The smaller one has smaller bits: an order that means nothing but is the same everywhere.
  package static func < (left: LinkKey, right: LinkKey) -> Bool {
    left.rawValue < right.rawValue
  }
}
