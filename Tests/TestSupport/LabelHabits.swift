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

  /// How a label is written.
  package var spelling = Spelling.atom
  /// Whether MODSEQ of a message in All Mail rises with its labels.
  package var raises = true
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
  /// The labels of a message as a FETCH in a mailbox has them: none of the mailbox itself.
  func labels(of message: ProviderMailbox.Message, in box: ProviderMailbox) -> String {
    let holding = mailboxes.filter { other in
      other.name != box.name && other.name != provider.allMail
        && other.messages.contains { $0.identity == message.identity }
    }
    return holding.map { provider.labels.text(of: Self.label($0)) }.joined(separator: " ")
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
    guard provider.labels.raises, let all = provider.allMail, let index = index(all) else { return }
    for place in mailboxes[index].messages.indices
    where identities.contains(mailboxes[index].messages[place].identity) {
      mailboxes[index].messages[place].modSequence = lastSequence
    }
  }
}
