internal import Octets

/// The keyword that says to all machines that rules are done with a message.
package enum RuleMark {
  static let keyword = [UInt8](ascii: "$MagnumSorted")

  /// Whether a tag is this keyword, in whatever case.
  package static func isOne(_ tag: [UInt8]) -> Bool { tag.equalsCaseless(keyword) }
}
