import Glibc

/// All mail below one folder, read without the code under test.
package struct MaildirTree: Sendable {
  /// One mail as a file.
  package struct Message: Sendable, Hashable {
    /// The file's name.
    package let name: String
    /// "new" or "cur".
    package let subdirectory: String
    /// The letters after ":2,".
    package let flags: String
    /// The octets of the file.
    package let body: [UInt8]
  }

  /// The mails of each Maildir by its path below the root.
  package private(set) var mailboxes: [OctetName: [Message]] = [:]

  /// The path that was read.
  package let root: String

  /// Reads every Maildir below a folder.
  package init(_ root: String) {
    self.root = root
    visit([])
  }

  /// The mails of one Maildir; empty when it is not there.
  package subscript(mailbox: OctetName) -> [Message] { mailboxes[mailbox] ?? [] }

  /// How many mails there are in all.
  package var count: Int { mailboxes.values.reduce(0) { $0 + $1.count } }

  private mutating func visit(_ relative: [UInt8]) {
    let path = Array(root.utf8) + (relative.isEmpty ? [] : [47] + relative)
    let names = Files.names(in: path)
    let own = ["cur", "new", "tmp"].map { Array($0.utf8) }
    if names.contains(own[0]), names.contains(own[1]) {
      mailboxes[OctetName(relative)] = ["new", "cur"].flatMap { messages(path, $0) }
    }
    for name in names where !own.contains(name) && Files.isDirectory(path + [47] + name) {
      visit(relative.isEmpty ? name : relative + [47] + name)
    }
  }

  private func messages(_ path: [UInt8], _ subdirectory: String) -> [Message] {
    let folder = path + [47] + Array(subdirectory.utf8)
    return Files.names(in: folder).compactMap { octets in
      let name = String(decoding: octets, as: UTF8.self)
      guard let body = Files.read(folder + [47] + octets) else { return nil }
      let info = name.split(separator: ":2,", maxSplits: 1, omittingEmptySubsequences: false)
      return Message(
        name: name,
        subdirectory: subdirectory,
        flags: info.count > 1 ? String(info[1]) : "",
        body: body
      )
    }
  }

  /// What is different between the server and this tree; empty when they are the same.
  ///
  /// Each mailbox is compared as a multiset of (octets, system flags and `$Forwarded`), so that a doubled mail shows.
  /// - Parameters:
  ///   - server: The mails by mailbox name on the wire.
  ///   - directory: The path below the root for a mailbox.
  /// - Returns: One line for each difference.
  package func differences(
    from server: [String: [RawIMAP.Message]],
    directory: (String) -> String = { $0 }
  ) -> [String] {
    var lines: [String] = []
    for (name, messages) in server.sorted(by: { $0.key < $1.key }) {
      guard let local = mailboxes[OctetName(directory(name))] else {
        lines.append("\(name): no Maildir \(directory(name))")
        continue
      }
      let expected = messages.map { MaildirTree.key(Self.letters($0.flags), Self.stored($0.body)) }
      let found = local.map { MaildirTree.key($0.flags, $0.body) }
      lines += MaildirTree.compare(expected, found).map { "\(name): \($0)" }
    }
    let known = Set(server.keys.map { OctetName(directory($0)) })
    for name in mailboxes.keys.sorted() where !known.contains(name) {
      lines.append("\(name): a Maildir that the server does not have")
    }
    return lines
  }

  private static func compare(_ expected: [String], _ found: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for key in expected { counts[key, default: 0] += 1 }
    for key in found { counts[key, default: 0] -= 1 }
    return counts.sorted { $0.key < $1.key }.compactMap { key, count in
      count == 0 ? nil : count > 0 ? "missing \(count) × \(key)" : "too many \(-count) × \(key)"
    }
  }

  private static func key(_ flags: String, _ body: [UInt8]) -> String {
    let subject = body.prefix(4_000).split(separator: 10).first { $0.starts(with: "Subject:".utf8) }
    let text = String(decoding: subject ?? [], as: UTF8.self)
    return "[\(flags)] \(body.count) octets \(TreeSnapshot.hash(body)) \(text)"
  }

  /// How the octets of a mail are kept: CR LF as LF, but only where that can be undone in whatever way.
  package static func stored(_ wire: [UInt8]) -> [UInt8] {
    var short: [UInt8] = []
    short.reserveCapacity(wire.count)
    for (index, octet) in wire.enumerated() {
      let isBeforeLineFeed = index + 1 < wire.count && wire[index + 1] == 10
      if octet == 13, isBeforeLineFeed { continue }
      let isAfterReturn = index > 0 && wire[index - 1] == 13
      if octet == 10, !isAfterReturn || short.last == 13 { return wire }
      short.append(octet)
    }
    return short
  }

  /// The Maildir letters of flags, in the order of ASCII.
  package static func letters(_ flags: [String]) -> String {
    let table: [String: Character] = [
      "\\draft": "D", "\\flagged": "F", "$forwarded": "P", "\\answered": "R", "\\seen": "S",
      "\\deleted": "T",
    ]
    return String(flags.compactMap { table[$0.lowercased()] }.sorted())
  }
}
