internal import Octets
package import SMTP

extension Letter {
  /// Those of the recipients whom neither To, Cc and Bcc of the message name nor the values of Bcc fields that it had, as
  /// they were given; each once.
  package func unnamed(among recipients: [Recipient], hidden: [UInt8]?) -> [EnvelopeAddress] {
    var named = Set(names(hidden).map(Self.folded))
    var unnamed: [EnvelopeAddress] = []
    for recipient in recipients where !named.contains(Self.folded(recipient.address.octets)) {
      let given = recipient.original ?? recipient.address
      if named.insert(Self.folded(given.octets)).inserted { unnamed.append(given) }
    }
    return unnamed
  }

  /// The first address in To, Cc and Bcc of the message and in Bcc fields that it had that is none of the recipients, neither
  /// as they are nor as they were given; nil where all are.
  ///
  /// Names without a domain do not count: several of them may mean one recipient.
  package func firstNamed(besides recipients: [Recipient], hidden: [UInt8]?) -> [UInt8]? {
    let addresses = recipients.flatMap { [$0.address, $0.original].compactMap(\.self) }
    let known = Set(addresses.map { Self.folded($0.octets) })
    return names(hidden).first { $0.contains(ASCII.at) && !known.contains(Self.folded($0)) }
  }

  /// Whom To, Cc and Bcc name, and the values of Bcc fields that it had.
  private func names(_ hidden: [UInt8]?) -> [[UInt8]] {
    let values = values("To") + values("Cc") + values("Bcc") + (hidden.map { [$0] } ?? [])
    return values.flatMap { RecipientList($0).items }.flatMap(\.names)
  }

  private static func folded(_ address: [UInt8]) -> [UInt8] { address.map(ASCII.lowercased) }
}
