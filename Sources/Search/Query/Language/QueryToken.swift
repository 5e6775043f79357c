/// A piece of a query.
struct QueryToken: Hashable {
  enum Kind: Hashable {
    case open
    case close
    case and, or, xor, not
    case near(Int), adjacent(Int)
    /// `-` right before something, after white space.
    case minus
    case plus
    /// `name:`, right before its value.
    case field(String, QueryField)
    /// What stands between quotation marks, undone.
    case quoted([UInt8])
    /// What stands between slashes behind a field.
    case pattern([UInt8])
    /// What stands in braces behind `thread:`, and where it begins.
    case braces([UInt8])
    /// What stands in parentheses within quotation marks behind a field, with them: a query within the query.
    case group([UInt8])
    /// A word, or several with signs between them.
    case text([UInt8])
  }

  let kind: Kind
  let place: Range<Int>
}

extension QueryToken.Kind {
  /// What the word for it is where it stands between words; nil for what is no operator.
  var operatorName: String? {
    switch self {
    case .and: "and"
    case .or: "or"
    case .xor: "xor"
    case .not: "not"
    case .near: "near"
    case .adjacent: "adj"
    case .open, .close, .minus, .plus, .field, .quoted, .pattern, .braces, .group, .text: nil
    }
  }

  /// How near the words at both sides have to be; nil for what is neither NEAR nor ADJ.
  var link: (distance: Int, isOrdered: Bool)? {
    switch self {
    case .near(let distance): (distance, false)
    case .adjacent(let distance): (distance, true)
    case .open, .close, .and, .or, .xor, .not, .minus, .plus, .field, .quoted, .pattern, .braces,
      .group, .text:
      nil
    }
  }
}
