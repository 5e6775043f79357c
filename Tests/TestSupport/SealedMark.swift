/// The field of a partial file as a real account seals it, without an account that fetched one.
///
/// The seals were made by another implementation of what magnum-formats(5) says of them.
package enum SealedMark {
  private static let seals = [
    "m2@x.org": "a0459570e56cedb5bcc3500b32cd0817",
    "there@x.org": "f9f5c5305cd7ba4e7ba4c0b7265ed2a8",
    "here@x.org": "e86324bf463fd530d96ede0bd7863318",
    "one@x": "3415a2a0b0992c476acee8c3956fcb98",
    "4@x": "a672ae3684374ed20081b6d1766377fb",
  ]

  /// The field for the message of that id, with a line end.
  package static func field(_ id: String) throws -> String {
    guard let seal = seals[id] else { throw HarnessError("\(id): no seal") }
    return "X-Magnum-Partial: 20000 0a1b \(seal)\n"
  }

  /// Gives the account of a root the secret of all these seals.
  package static func writeKey(root: String) throws {
    try Files.makeDirectories("\(root)/.magnum")
    try Files.write(String(repeating: "5a", count: 32) + "\n", to: "\(root)/.magnum/partial-key")
  }
}
