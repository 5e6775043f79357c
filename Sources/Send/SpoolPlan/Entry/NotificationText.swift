internal import Octets
internal import SMTP

/// What is to be reported about a delivery, as the file says it: `never`, or `success,delay`.
enum NotificationText {
  private static let names: [(Notification, StaticString)] = [
    (.success, "success"), (.failure, "failure"), (.delay, "delay"),
  ]

  static func octets(_ notification: Notification) -> [UInt8] {
    guard notification != .never else { return [UInt8](ascii: "never") }
    let words = names.filter { notification.contains($0.0) }.map { [UInt8](ascii: $0.1) }
    return [UInt8](words.joined(separator: [ASCII.comma]))
  }

  static func notification(_ octets: [UInt8]) -> Notification? {
    if octets.equalsCaseless("never") { return .never }
    var result: Notification = []
    for word in octets.split(separator: ASCII.comma, omittingEmptySubsequences: false) {
      guard let name = names.first(where: { word.equalsCaseless($0.1) }) else { return nil }
      result.insert(name.0)
    }
    return result
  }
}
