internal import MailModel
internal import Query

/// What a message has, as a set of bits.
struct Features: OptionSet, Hashable {
  let rawValue: UInt64

  static let attachment = Features(rawValue: 1)
  static let signature = Features(rawValue: 2)
  static let encryption = Features(rawValue: 4)
  static let list = Features(rawValue: 8)
  static let calendar = Features(rawValue: 16)
  static let patch = Features(rawValue: 32)
  static let partial = Features(rawValue: 64)

  /// The features as a query names them.
  var names: [Feature] {
    Feature.allCases.filter { contains(Self.of($0)) }
  }

  static func of(_ feature: Feature) -> Features {
    switch feature {
    case .attachment: .attachment
    case .signature: .signature
    case .encryption: .encryption
    case .list: .list
    case .calendar: .calendar
    case .patch: .patch
    case .partial: .partial
    }
  }
}

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
