package import MailModel
package import Configuration
internal import MIME
internal import Octets
internal import Platform
package import Sendmail

/// Finds the account that a message goes out with.
package struct AccountChoice {
  private let configuration: Configuration

  /// The accounts that the caller may use.
  private let senders: [Sender]

  /// The accounts of a configuration that a user may send with.
  package init(_ configuration: Configuration, user: UInt32) {
    self.configuration = configuration
    senders =
      configuration.isSystem
      ? configuration.senders.filter { $0.shared.allow(user) } : configuration.senders
  }

  /// The account of that name.
  package func sender(named name: String) throws(Explanation) -> Sender {
    if let sender = senders.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      return sender
    }
    if configuration.sender(named: name) != nil {
      throw Explanation(
        .refused,
        "the account \(Printable.text(name.utf8, limit: 100)) is not for this user",
        hint: "the key users in \(configuration.path.display) says for whom it is"
      )
    }
    throw Explanation(
      .noUser,
      "no account \(Printable.text(name.utf8, limit: 100)) that can send",
      hint: hint("accounts that can send: ")
    )
  }

  /// The account that a request names, by itself or by its server; `nil` when it names none.
  package func sender(namedBy request: SendmailRequest) throws(Explanation) -> Sender? {
    if let name = request.account {
      return try sender(named: String(decoding: name, as: UTF8.self))
    }
    return try request.host.map { (host) throws(Explanation) in
      try sender(at: String(decoding: host, as: UTF8.self))
    }
  }

  /// The account that hands in its mail at that server, by its name as the configuration has it.
  package func sender(at host: String) throws(Explanation) -> Sender {
    if let sender = senders.first(where: { $0.server.host?.utf8.equalsCaseless(host.utf8) ?? false }
    ) {
      return sender
    }
    throw Explanation(
      .noUser,
      "no account sends through \(Printable.text(host.utf8, limit: 100))",
      hint: hint("servers are named in the configuration; accounts that can send: ")
    )
  }

  /// The account that has the first of these addresses that any has, else the default one.
  package func sender(for addresses: [[UInt8]]) throws(Explanation) -> Sender {
    for address in addresses {
      for form in [address, Mailbox.withoutTag(address)] {
        if let sender = senders.first(where: { $0.has(form) }) { return sender }
      }
    }
    if let usual = configuration.defaultSender, senders.contains(usual) { return usual }
    guard let address = addresses.first else {
      throw Explanation(.noUser, "no account to send with", hint: hint(Self.choose))
    }
    throw Explanation(
      .noUser,
      "no account for \(Printable.text(address, limit: 100))",
      hint: hint(Self.choose)
    )
  }

  private static let choose = "give --account or set default-account; accounts that can send: "

  private func hint(_ words: String) -> String {
    let names = senders.map(\.name)
    return names.isEmpty
      ? "give an account a key smtp in \(configuration.path.display)"
      : words + names.joined(separator: ", ")
  }
}

extension Sender {
  fileprivate func has(_ address: [UInt8]) -> Bool {
    addresses.contains { $0.utf8.equalsCaseless(address) }
  }
}
