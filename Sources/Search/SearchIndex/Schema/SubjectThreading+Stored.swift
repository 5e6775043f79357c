internal import MailModel

/// What metadata says of subjects that link.
extension SubjectThreading {
  /// The word in the metadata of an index; `all` there is of before it was only about the same two people.
  var stored: [UInt8] {
    switch self {
    case .all: Array("pairs".utf8)
    case .replies, .off: Array(rawValue.utf8)
    }
  }

  /// What a word in the metadata means now; nil for none that is known.
  init?(stored word: [UInt8]) {
    self.init(
      rawValue: word.elementsEqual("pairs".utf8) ? "all" : String(decoding: word, as: UTF8.self)
    )
  }
}
