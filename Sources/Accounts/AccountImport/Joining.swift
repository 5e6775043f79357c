internal import Octets

/// Brings together what several files say of one account, and gives each account a name of its own.
struct Joining {
  private(set) var accounts: [ImportedAccount] = []
  /// The names that are given away, in lower case.
  private var taken: Set<String> = []
  /// How many accounts have asked for a name.
  private var count: [String: Int] = [:]

  /// Adds accounts that read mail; each stays one by itself.
  mutating func add(_ found: [ImportedAccount]) {
    for account in found { append(account) }
  }

  /// Adds accounts that send: one of the same address is the same account.
  ///
  /// - Returns: the names here by the names there.
  mutating func join(senders: [ImportedAccount]) -> [String: String] {
    var names: [String: String] = [:]
    for sender in senders {
      if let place = place(for: sender) {
        accounts[place].adoptSender(sender)
        names[sender.name] = accounts[place].name
      } else {
        append(sender)
        names[sender.name] = accounts.last?.name
      }
    }
    return names
  }

  /// The account that has no server to send through yet, and the sender's address, or its log-in at the same provider.
  private func place(for sender: ImportedAccount) -> Int? {
    let open = accounts.indices.filter { accounts[$0].smtp == nil && accounts[$0].imap != nil }
    if let address = sender.address,
      let found = open.first(where: {
        accounts[$0].address.map { $0.utf8.equalsCaseless(address.utf8) } ?? false
      })
    {
      return found
    }
    return open.first { index in
      guard accounts[index].address == nil else { return false }
      let isNamed = accounts[index].name.utf8.equalsCaseless(sender.name.utf8)
      return isNamed && Self.provider(accounts[index].imap) == Self.provider(sender.smtp)
        || accounts[index].imap?.user == sender.smtp?.user && sender.smtp?.user != nil
          && Self.provider(accounts[index].imap) == Self.provider(sender.smtp)
    }
  }

  /// The last two parts of the host's name; nil where there are no two.
  private static func provider(_ access: ImportedAccount.Access?) -> String? {
    guard let address = access?.address, let start = address.firstPlace(of: "://") else {
      return nil
    }
    let host = address[start.upperBound...].prefix { $0 != ":" }
    let parts = host.split(separator: ".")
    return parts.count < 2 ? nil : parts.suffix(2).joined(separator: ".").lowercased()
  }

  /// Adds what notmuch knows of the user: to the account of the main address.
  mutating func add(identity: NotmuchImport.Identity) -> Bool {
    let place = accounts.firstIndex { account in
      guard let address = identity.address else { return false }
      return ([account.address].compactMap { $0 } + account.addresses)
        .contains { $0.utf8.equalsCaseless(address.utf8) }
    }
    guard let place else { return false }
    if accounts[place].fullName == nil { accounts[place].fullName = identity.name }
    let known = accounts.flatMap { [$0.address].compactMap { $0 } + $0.addresses }
    for other in identity.others where !known.contains(other) {
      accounts[place].addresses.append(other)
    }
    return true
  }

  /// Adds mail that no server is known of, where no account has mail: to the account of its address, else as one of its own.
  ///
  /// - Returns: whether it was added.
  mutating func add(mail: ImportedAccount) -> Bool {
    guard !accounts.contains(where: { $0.maildir != nil }) else { return false }
    let place = accounts.firstIndex { account in
      guard let own = account.address, let address = mail.address else { return false }
      return own.utf8.equalsCaseless(address.utf8)
    }
    guard let place else {
      append(mail)
      return true
    }
    accounts[place].maildir = mail.maildir
    accounts[place].origins += mail.origins
    return true
  }

  // MARK: - Names

  private mutating func append(_ account: ImportedAccount) {
    var account = account
    account.name = freeName(like: account.name)
    accounts.append(account)
  }

  private mutating func freeName(like name: String) -> String {
    let name = Self.allowed(name)
    var free = name
    while !taken.insert(free.lowercased()).inserted {
      count[name, default: 1] += 1
      free = "\(name)-\(count[name, default: 1])"
    }
    return free
  }

  /// A name that files and command lines can bear.
  private static func allowed(_ name: String) -> String {
    let text = name.unicodeScalars.map { scalar in
      scalar == "/" || scalar.value < 0x20 || scalar.value == 0x7F ? "-" : String(scalar)
    }.joined()
    let start = text.drop { $0 == "-" || $0 == "." }
    return start.isEmpty ? "mail" : String(start.prefix(40))
  }
}

extension ImportedAccount {
  /// Adopts what another file says about sending with the same account.
  mutating func adoptSender(_ sender: ImportedAccount) {
    smtp = sender.smtp
    duties += sender.duties
    if address == nil { address = sender.address }
    fullName = fullName ?? sender.fullName
    addresses += ([sender.address].compactMap { $0 } + sender.addresses).filter { other in
      address.map { !$0.utf8.equalsCaseless(other.utf8) } ?? true
    }
    for origin in sender.origins where !origins.contains(origin) { origins.append(origin) }
  }
}
