internal import Octets

/// The names of fields by who sets them.
enum FieldNames {
  /// Fields that the program writes itself, or that say what happened to a message on its way.
  private static let reserved: [StaticString] = [
    "From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To",
    "References", "MIME-Version", "Received", "Return-Path", "Delivered-To", "X-Original-To",
    "Envelope-To", "DKIM-Signature", "Authentication-Results", "Status", "X-Status", "Lines",
    "Attach", "Attached",
  ]

  /// Whether a person may set a field of that name to any text.
  static func isFree(_ name: [UInt8]) -> Bool {
    guard !name.isEmpty, name.count <= 70,
      name.allSatisfy({ (0x21...0x7E).contains($0) && $0 != ASCII.colon })
    else { return false }
    return !reserved.contains { name.equalsCaseless($0) }
      && !["content-", "resent-", "x-magnum-", "arc-", "received-"].contains {
        name.startsCaseless(with: $0)
      }
  }
}
