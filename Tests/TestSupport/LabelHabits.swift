/// How a scripted provider deals with labels (X-GM-EXT-1) where nothing is documented.
package struct LabelHabits: Hashable, Sendable {
  /// How a label is written.
  package enum Spelling: String, CaseIterable, Sendable {
    /// As an atom where it can be one, else quoted.
    case atom
    /// Quoted, backslashes twice.
    case quoted
    /// Quoted, backslashes once.
    case once
    case literal
  }

  /// What becomes of a command that names a label.
  package enum Answer: String, CaseIterable, Sendable {
    case made, refused, misunderstood, ignored
  }

  /// How a label is written.
  package var spelling = Spelling.atom
  /// Whether MODSEQ of a message in All Mail rises with its labels, whoever changes them.
  package var raises = true
  /// Whether it does so for STORE.
  package var raisesForStore = true
  /// How often the mailbox of a label tells the number of before, after STORE.
  package var staleCounts = 0
  /// What becomes of STORE of a label that is not there, and of one that is forbidden.
  package var unknown = Answer.made
  package var forbidden = Answer.misunderstood
  /// Whether CREATE makes a label.
  package var creates = true
  /// Whether messages have their labels again that come back from Trash.
  package var returnsLabels = true
  /// Whether they have their old UIDs again.
  package var returnsUIDs = false
  /// Whether a message put there twice is one.
  package var joinsTwins = true
  /// Whether what is put into Drafts has the label of drafts.
  package var labelsDrafts = true
  /// The most octets of a set of messages that a command may name.
  package var setLimit = Int.max
  /// Whether each FETCH of labels comes behind an unasked one of flags alone.
  package var tellsFlags = false

  /// The usual ones.
  package init() {}

  func text(of label: String) -> String {
    let isAtom = label.dropFirst(label.hasPrefix("\\") ? 1 : 0).allSatisfy {
      $0.isLetter && $0.isASCII || $0.isNumber || "/&-+,".contains($0)
    }
    switch spelling {
    case .atom where isAtom && !label.isEmpty: return label
    case .atom, .quoted:
      return "\"\(label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    case .once: return "\"\(label.replacing("\"", with: "\\\""))\""
    case .literal: return "{\(label.utf8.count)}\r\n\(label)"
    }
  }
}

// Labels of messages.
extension ProviderStore.Content {
  /// The labels of messages as a FETCH in a mailbox has them, by identity: none of the mailbox itself.
  func labels(in box: ProviderMailbox) -> [Int: String] {
    var found: [Int: String] = [:]
    for other in mailboxes where other.name != box.name && other.name != provider.allMail {
      let text = provider.labels.text(of: Self.label(other))
      for message in other.messages {
        found[message.identity] = found[message.identity].map { "\($0) \(text)" } ?? text
      }
    }
    return found
  }

  private static func label(_ box: ProviderMailbox) -> String {
    if box.name == "INBOX" { return "\\Inbox" }
    let known = [
      ("\\Important", "\\Important"), ("\\Sent", "\\Sent"), ("\\Drafts", "\\Draft"),
      ("\\Flagged", "\\Starred"),
    ]
    return known.first { box.attributes.contains($0.0) }?.1 ?? box.name
  }

  /// Whether the mailbox holds what All Mail does not.
  func isOutside(_ mailbox: String) -> Bool {
    mailboxes.contains {
      $0.name == mailbox && ($0.attributes.contains("\\Trash") || $0.attributes.contains("\\Junk"))
    }
  }

  /// The labels of messages changed.
  mutating func raise(_ identities: Set<Int>) {
    let isRaised = storesLabels ? provider.labels.raisesForStore : provider.labels.raises
    guard isRaised, let all = provider.allMail, let index = index(all) else { return }
    for place in mailboxes[index].messages.indices
    where identities.contains(mailboxes[index].messages[place].identity) {
      mailboxes[index].messages[place].modSequence = lastSequence
    }
  }
}

// What clients do to labels.
extension ProviderStore.Content {
  /// What `UID STORE ±X-GM-LABELS.SILENT` comes to: the tagged answer.
  mutating func storeLabel(
    _ label: String,
    _ item: String,
    _ messages: [ProviderMailbox.Message],
    in box: ProviderMailbox
  ) -> String {
    guard box.name == provider.allMail, item.hasSuffix(".SILENT"), "+-".contains(item.prefix(1))
    else {
      violations.append("\(item) in \(box.name)")
      return "BAD labels are not changed like that"
    }
    let isAdding = item.hasPrefix("+")
    if Self.isForbidden(label) {
      if let answer = Self.answer(provider.labels.forbidden) { return answer }
    }
    guard let name = name(of: label) ?? made(label, isAdding) else {
      return isAdding ? Self.answer(provider.labels.unknown) ?? "OK" : "OK Success"
    }
    storesLabels = true
    defer { storesLabels = false }
    stale[name] = (count(name), provider.labels.staleCounts)
    for message in messages {
      let there = mailboxes.first { $0.name == name }?.messages ?? []
      let known = there.filter { $0.identity == message.identity }.map(\.uid)
      if !isAdding {
        remove(known, from: name)
      } else if known.isEmpty {
        put(message.body, message.flags, message.identity, in: name)
      }
    }
    return "OK Success"
  }

  private static func answer(_ answer: LabelHabits.Answer) -> String? {
    switch answer {
    case .made: nil
    case .refused: "NO [CANNOT] no such label"
    case .misunderstood: "BAD Could not parse command"
    case .ignored: "OK Success"
    }
  }

  private static func isForbidden(_ label: String) -> Bool {
    label.contains("^") || label.hasPrefix("[Gmail]/")
  }

  private func count(_ name: String) -> Int {
    mailboxes.first { $0.name == name }?.messages.count ?? 0
  }

  /// The number of messages that the mailbox tells.
  mutating func told(_ box: ProviderMailbox) -> Int {
    guard let known = stale[box.name], known.left > 0 else { return box.messages.count }
    stale[box.name]?.left -= 1
    return known.count
  }

  /// The mailbox of a label; nil where there is none.
  private func name(of label: String) -> String? {
    mailboxes.first { box in
      box.name != provider.allMail && !isOutside(box.name)
        && Self.label(box).lowercased() == label.lowercased()
    }?.name
  }

  private mutating func made(_ label: String, _ isAdding: Bool) -> String? {
    guard isAdding, !label.hasPrefix("\\"), provider.labels.unknown == .made else { return nil }
    mailboxes.append(ProviderMailbox(label, "\\HasNoChildren"))
    return label
  }

  /// The message of these octets, which is the only one of them; nil where there is none.
  func twin(of body: [UInt8]) -> ProviderMailbox.Message? {
    guard provider.labels.joinsTwins, let all = provider.allMail, let index = index(all) else {
      return nil
    }
    return mailboxes[index].messages.first { $0.body == body }
  }

  /// What a client sends that may take messages or labels of others along.
  mutating func judge(_ request: ScriptedServer.Request) {
    guard let all = provider.allMail, judges else { return }
    let isAll = selected[request.connection] == all
    let words = request.text.uppercased()
    let isHarm: Bool =
      switch request.name {
      case "EXPUNGE", "UID COPY", "RENAME", "CLOSE": true
      case "UID EXPUNGE": isAll
      case "UID STORE": isAll && words.contains("+FLAGS") && words.contains("\\DELETED")
      case "DELETE": !words.contains("MAGNUM-TEST")
      default: false
      }
    if isHarm { violations.append(request.text) }
  }
}
