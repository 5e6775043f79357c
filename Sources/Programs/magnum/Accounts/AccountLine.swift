internal import Configuration
internal import Octets
internal import Platform
internal import Terminal

/// An account in a list.
struct AccountLine {
  private let name: String
  private let account: Account?
  private let sender: Sender?
  private let isDefault: Bool

  init(_ name: String, _ configuration: Configuration) {
    self.name = name
    account = configuration.account(named: name)
    sender = configuration.sender(named: name)
    isDefault = configuration.defaultSender?.name == name
  }

  var text: String {
    let parts = [name, address, account?.maildir.display, imap, sender?.server.description]
    return parts.compactMap { $0 }.map { Printable.text($0.utf8) }.joined(separator: "  ")
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", name)
    line.add("address", ifPresent: address)
    if let sender {
      line.add("name", ifPresent: sender.fullName)
      line.add("addresses", sender.addresses)
      line.add("default", isDefault)
    }
    line.add("maildir", ifPresent: account?.maildir.display)
    line.add("imap", ifPresent: imap)
    line.add("smtp", ifPresent: sender?.server.description)
    return line
  }

  private var address: String? { sender?.address ?? account?.address }

  private var imap: String? { account?.server.map { ServerText.text($0) } }
}
