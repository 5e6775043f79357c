internal import Octets
package import SMTP

extension Letter {
  /// Those of the recipients whom neither To, Cc and Bcc of the message name nor the values of Bcc fields that it had, as
  /// they were given; each once.
  package func unnamed(among recipients: [Recipient], hidden: [UInt8]?) -> [EnvelopeAddress] {
    let values = values("To") + values("Cc") + values("Bcc") + (hidden.map { [$0] } ?? [])
    let items = values.flatMap { RecipientList($0).items }
    var named = Set(items.flatMap(\.names).map(Self.folded))
    var unnamed: [EnvelopeAddress] = []
    for recipient in recipients where !named.contains(Self.folded(recipient.address.octets)) {
      let given = recipient.original ?? recipient.address
      if named.insert(Self.folded(given.octets)).inserted { unnamed.append(given) }
    }
    return unnamed
  }

  private static func folded(_ address: [UInt8]) -> [UInt8] { address.map(ASCII.lowercased) }
}
