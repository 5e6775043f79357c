internal import Octets

/// How a list lets its receivers unsubscribe, as a message of it says (RFC 2369 §3.2, RFC 8058).
package struct UnsubscribeOffer: Hashable, Sendable {
  /// What is to be done.
  package enum Way: Hashable, Sendable {
    /// A form is posted to this address: one click, which asks for nothing else.
    case oneClick([UInt8])
    /// A message is sent to this address, which begins with `mailto:`.
    case mail([UInt8])
    /// A person opens this address.
    case web([UInt8])
  }

  /// Why a person has to look twice.
  package enum Doubt: String, CaseIterable, Hashable, Sendable {
    /// A field is there more than once.
    case doubled
    /// No signature that the receiving server found to be right covers the fields.
    case unsigned
    /// The domain of the sender says that it did not send the message.
    case disowned
    /// The message lies in Junk.
    case junk
  }

  package let way: Way

  /// What speaks against it, in the order in which it is said.
  package private(set) var doubts: [Doubt]

  /// The fields that a signature has to cover.
  private static let names: [StaticString] = ["List-Unsubscribe", "List-Unsubscribe-Post"]

  /// The offer of a message; nil for none.
  ///
  /// - Parameters:
  ///   - header: the header of the message.
  ///   - verdict: what the receiving server says of it; nil where none is believed.
  ///   - isJunk: whether it lies in Junk.
  package init?(_ header: Header, _ verdict: SenderVerdict?, isJunk: Bool) {
    guard let field = header.first("List-Unsubscribe") else { return nil }
    let addresses = ListField.addresses(in: field.body)
    let isOneClick = header.all("List-Unsubscribe-Post").contains(where: Self.isOneClick)
    let secure = addresses.first { $0.startsCaseless(with: "https://") }
    let mail = addresses.first { $0.startsCaseless(with: "mailto:") }
    let open = secure ?? addresses.first { $0.startsCaseless(with: "http://") }
    doubts = []
    if isOneClick, let secure {
      way = .oneClick(secure)
      doubts = Self.doubts(header, verdict)
    } else if let mail {
      way = .mail(mail)
    } else if let open {
      way = .web(open)
    } else {
      return nil
    }
    if verdict?.kind == .fail { doubts.append(.disowned) }
    if isJunk { doubts.append(.junk) }
  }

  private static func isOneClick(_ field: HeaderField) -> Bool {
    field.body.filter { $0 > ASCII.space }.equalsCaseless("List-Unsubscribe=One-Click")
  }

  private static func doubts(_ header: Header, _ verdict: SenderVerdict?) -> [Doubt] {
    if names.contains(where: { header.all($0).count != 1 }) { return [.doubled] }
    return verdict?.vouches(for: names, of: header) == true ? [] : [.unsigned]
  }
}
