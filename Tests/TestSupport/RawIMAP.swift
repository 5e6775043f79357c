import Glibc

/// A small blocking IMAP client for tests, to change and to read what is on the server.
///
/// It shares no code with the program under test. One value is one connection in clear text to loopback.
package final class RawIMAP {
  /// A message as the server has it.
  package struct Message: Hashable, Sendable {
    /// The UID.
    package let uid: UInt32
    /// The flags as sent, sorted, without `\Recent`.
    package let flags: [String]
    /// The octets of the message.
    package let body: [UInt8]

    /// What its header says behind `Subject: `; empty where it says nothing.
    ///
    /// No text is made of more than its first octets: messages may be large.
    package var subject: String {
      let line = body.prefix(8192).split(separator: 10).first { $0.starts(with: "Subject: ".utf8) }
      let text = line?.dropFirst(9) ?? []
      return String(decoding: text.last == 13 ? text.dropLast() : text, as: UTF8.self)
    }

    /// Whether the text stands in it somewhere.
    package func holds(_ text: String) -> Bool {
      let part = Array(text.utf8)
      return body.indices.contains { body[$0] == part.first && body[$0...].starts(with: part) }
    }

    /// A message for a comparison.
    package init(uid: UInt32, flags: [String], body: [UInt8]) {
      self.uid = uid
      self.flags = flags
      self.body = body
    }
  }

  /// Whether the server must be waited for before a literal goes (RFC 9051 §4.3): it has no LITERAL+.
  package var waitsForLiterals = false

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var position = 0
  private var count = 0

  /// Logs in.
  ///
  /// - Throws: `HarnessError` when the server does not answer or refuses.
  package convenience init(_ server: Dovecot, user: String) throws {
    try self.init(port: server.ports.clear, user: user)
  }

  /// Logs in to whatever listens on a port.
  ///
  /// - Throws: `HarnessError` when it does not answer or refuses.
  package init(port: UInt16, user: String) throws {
    descriptor = try Loopback.connect(port: port)
    _ = try line()
    try command("LOGIN \(user) pass")
  }

  deinit {
    close(descriptor)
  }

  /// Sends a command and returns the lines of its answer, literals left in their place.
  ///
  /// - Parameter text: The command without tag and line end.
  /// - Returns: The untagged lines and the tagged one.
  /// - Throws: `HarnessError` when the answer is not OK.
  @discardableResult
  package func command(_ text: String) throws -> [[UInt8]] {
    try command(octets: Array(text.utf8))
  }

  /// As ``command(_:)``, for a command that is not text.
  ///
  /// - Throws: `HarnessError` when the answer is not OK.
  @discardableResult
  package func command(octets: [UInt8]) throws -> [[UInt8]] {
    count += 1
    Loopback.send(Array("t\(count) ".utf8) + octets + [13, 10], to: descriptor)
    return try answer("t\(count)")
  }

  /// A command whose last part is a literal.
  private func command(head: [UInt8], _ literal: [UInt8]) throws -> [[UInt8]] {
    guard waitsForLiterals else { return try command(octets: head + literal) }
    count += 1
    Loopback.send(Array("t\(count) ".utf8) + head, to: descriptor)
    let leave = try line()
    guard leave.first == UInt8(ascii: "+") else {
      throw HarnessError(String(decoding: leave, as: UTF8.self))
    }
    Loopback.send(literal + [13, 10], to: descriptor)
    return try answer("t\(count)")
  }

  /// Adds a message; the UID is that of the message.
  ///
  /// - Parameters:
  ///   - message: The octets.
  ///   - mailbox: The name in modified UTF-7.
  ///   - flags: As in `\Seen $Forwarded`.
  ///   - date: The INTERNALDATE as in `17-Jul-1996 02:44:25 -0700`; nil for now.
  /// - Returns: The UID.
  /// - Throws: `HarnessError` when the server refuses.
  @discardableResult
  package func append(
    _ message: [UInt8],
    to mailbox: String = "INBOX",
    flags: String = "",
    date: String? = nil
  ) throws -> UInt32 {
    let date = date.map { "\"\($0)\" " } ?? ""
    let size = waitsForLiterals ? "\(message.count)" : "\(message.count)+"
    let head = "APPEND \(quoted(mailbox)) (\(flags)) \(date){\(size)}\r\n"
    let reply = try command(head: Array(head.utf8), message)
    let text = String(decoding: reply.last ?? [], as: UTF8.self)
    guard let range = text.split(separator: "APPENDUID ").last?.split(separator: "]").first,
      let word = range.split(separator: " ").last, let uid = UInt32(word)
    else { return 0 }
    return uid
  }

  /// Adds many messages, hundreds with one command (RFC 3502), which costs the server far less than one by one.
  ///
  /// - Throws: `HarnessError` when the server refuses one.
  package func append(_ messages: [[UInt8]], to mailbox: String = "INBOX", flags: String = "")
    throws
  {
    for batch in stride(from: 0, to: messages.count, by: 500) {
      var octets = Array("APPEND \(quoted(mailbox))".utf8)
      for message in messages[batch..<min(batch + 500, messages.count)] {
        octets += Array(" (\(flags)) {\(message.count)+}\r\n".utf8) + message
      }
      try command(octets: octets)
    }
  }

  /// Selects a mailbox.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func select(_ mailbox: String = "INBOX") throws {
    try command("SELECT \(quoted(mailbox))")
  }

  /// Changes flags in the selected mailbox, as in `store("1:3", "+FLAGS (\\Seen)")`.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func store(_ uids: String, _ change: String) throws {
    try command("UID STORE \(uids) \(change)")
  }

  /// Removes messages from the selected mailbox for good.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func expunge(_ uids: String) throws {
    try store(uids, "+FLAGS.SILENT (\\Deleted)")
    try command("UID EXPUNGE \(uids)")
  }

  /// Makes a mailbox.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func create(_ mailbox: String) throws {
    try command("CREATE \(quoted(mailbox))")
  }

  /// Removes a mailbox.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func delete(_ mailbox: String) throws {
    try command("DELETE \(quoted(mailbox))")
  }

  /// Renames a mailbox.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func rename(_ mailbox: String, to name: String) throws {
    try command("RENAME \(quoted(mailbox)) \(quoted(name))")
  }

  /// Moves messages from the selected mailbox to another; false where none of them is there.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  @discardableResult
  package func move(_ uids: String, to mailbox: String) throws -> Bool {
    RawIMAP.namesCopies(try command("UID MOVE \(uids) \(quoted(mailbox))"))
  }

  /// Copies messages from the selected mailbox to another; false where none of them is there.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  @discardableResult
  package func copy(_ uids: String, to mailbox: String) throws -> Bool {
    RawIMAP.namesCopies(try command("UID COPY \(uids) \(quoted(mailbox))"))
  }

  /// Whether a server with UIDPLUS copied anything.
  private static func namesCopies(_ lines: [[UInt8]]) -> Bool {
    lines.contains { $0.firstRange(of: Array("COPYUID".utf8)) != nil }
  }

  /// The names of the mailboxes that can be selected, as on the wire.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func mailboxes() throws -> [String] {
    try command("LIST \"\" \"*\"").compactMap { line in
      let text = String(decoding: line, as: UTF8.self)
      let attributes = text.lowercased()
      guard text.hasPrefix("* LIST"), !attributes.contains("\\noselect"),
        !attributes.contains("\\nonexistent")
      else { return nil }
      return RawIMAP.lastString(of: text)
    }
  }

  /// All messages of a mailbox, in the order of their UIDs; the mailbox is examined, not selected.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func messages(in mailbox: String = "INBOX") throws -> [Message] {
    try command("EXAMINE \(quoted(mailbox))")
    return try command("UID FETCH 1:* (UID FLAGS BODY.PEEK[])").compactMap(RawIMAP.message)
      .sorted { $0.uid < $1.uid }
  }

  /// All messages of all mailboxes by the mailbox's name on the wire.
  ///
  /// - Throws: `HarnessError` when the server refuses.
  package func everything() throws -> [String: [Message]] {
    var all: [String: [Message]] = [:]
    for mailbox in try mailboxes() { all[mailbox] = try messages(in: mailbox) }
    return all
  }

  /// A number that STATUS tells, such as UIDVALIDITY.
  ///
  /// - Throws: `HarnessError` when the server refuses or tells none.
  package func status(_ item: String, of mailbox: String = "INBOX") throws -> UInt64 {
    for line in try command("STATUS \(quoted(mailbox)) (\(item))") {
      let text = String(decoding: line, as: UTF8.self)
      let words = text.split { " ()".contains($0) }
      guard text.hasPrefix("* STATUS"), let place = words.lastIndex(of: item[...]) else { continue }
      return words.dropFirst(place + 1).first.flatMap { UInt64($0) } ?? 0
    }
    throw HarnessError("no STATUS \(item) of \(mailbox)")
  }

  // MARK: The wire

  private func quoted(_ name: String) -> String {
    var text = "\""
    for character in name.unicodeScalars {
      if character == "\"" || character == "\\" { text.append("\\") }
      text.unicodeScalars.append(character)
    }
    return text + "\""
  }

  private func answer(_ tag: String) throws -> [[UInt8]] {
    var lines: [[UInt8]] = []
    while true {
      let line = try self.line()
      lines.append(line)
      guard line.starts(with: Array("\(tag) ".utf8)) else { continue }
      let text = String(decoding: line, as: UTF8.self)
      guard text.hasPrefix("\(tag) OK") else { throw HarnessError(text) }
      return lines
    }
  }

  /// One response without its line end, with all of its literals.
  private func line() throws -> [UInt8] {
    var response: [UInt8] = []
    while true {
      let part = try takeLine()
      response += part
      guard let size = RawIMAP.literalSize(at: part) else { return response }
      response += [13, 10] + (try take(size))
    }
  }

  private func takeLine() throws -> [UInt8] {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: 10) {
        defer { position = end + 1 }
        return Array(buffer[position..<end].dropLast())
      }
      let unread = buffer.count - position
      try fill()
      searched = position + unread
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while buffer.count - position < count { try fill() }
    defer { position += count }
    return Array(buffer[position..<position + count])
  }

  private func fill() throws {
    guard let octets = Loopback.receive(descriptor, limit: 1 << 18, seconds: 30), !octets.isEmpty
    else { throw HarnessError("the server closed the test's own connection") }
    buffer.removeSubrange(..<position)
    position = 0
    buffer += octets
  }

  private static func literalSize(at line: [UInt8]) -> Int? {
    guard line.last == UInt8(ascii: "}"), let open = line.lastIndex(of: UInt8(ascii: "{")) else {
      return nil
    }
    return Int(String(decoding: line[(open + 1)...].dropLast(), as: UTF8.self))
  }

  private static func lastString(of line: String) -> String? {
    if let start = line.utf8.lastIndex(of: 10) {
      return String(line[line.utf8.index(after: start)...])  // a literal ends the line
    }
    guard line.hasSuffix("\"") else { return line.split(separator: " ").last.map { "\($0)" } }
    return quotedString(atEndOf: Array(line.utf8))
  }

  private static func quotedString(atEndOf line: [UInt8]) -> String? {
    var index = line.count - 2
    while index > 0, !(line[index] == 34 && !isEscaped(line, index)) { index -= 1 }
    var name: [UInt8] = []
    var isAfterBackslash = false
    for octet in line[(index + 1)...].dropLast() {
      if octet == 92, !isAfterBackslash {
        isAfterBackslash = true
      } else {
        name.append(octet)
        isAfterBackslash = false
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static func isEscaped(_ line: [UInt8], _ index: Int) -> Bool {
    line[..<index].reversed().prefix { $0 == 92 }.count % 2 == 1
  }

  private static func message(_ line: [UInt8]) -> Message? {
    guard line.starts(with: Array("* ".utf8)), let open = line.firstIndex(of: UInt8(ascii: "(")),
      let body = line.firstIndex(of: UInt8(ascii: "{")),
      let end = line[body...].firstIndex(of: 10),
      let size = Int(
        String(decoding: line[(body + 1)..<end].prefix { $0 != UInt8(ascii: "}") }, as: UTF8.self)
      )
    else { return nil }
    let head = String(decoding: line[open..<body], as: UTF8.self)
    guard head.contains("UID "), let uid = UInt32(word(after: "UID ", in: head)) else { return nil }
    let flags = word(after: "FLAGS (", in: head, until: ")").split(separator: " ")
      .map { "\($0)" }.filter { $0 != "\\Recent" }.sorted()
    return Message(uid: uid, flags: flags, body: Array(line[(end + 1)..<(end + 1 + size)]))
  }

  private static func word(
    after prefix: String,
    in text: String,
    until end: Character = " "
  ) -> String {
    guard let rest = text.split(separator: prefix, maxSplits: 1).last else { return "" }
    return String(rest.prefix { $0 != end && $0 != ")" })
  }
}
