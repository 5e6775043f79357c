import TestSupport

// What the server has, beside what is here.
extension LabelScene {
  /// The subjects of the files in a folder.
  func subjectsHere(_ place: String) -> [String] {
    let folder = "\(Self.name(place).replacing("[Gmail]/", with: "")): "
    let lines = ((try? files()) ?? []).filter { $0.hasPrefix(folder) }
    return lines.map { "\($0.dropFirst(folder.count).prefix { $0 != " " })" }
  }

  /// The subjects of the messages in a mailbox.
  func subjects(_ place: String) -> [String] { server.subjects(Self.name(place)) }

  /// What has to be here, a line a message as in `files`.
  func served() -> [String] {
    let boxes = server.mailboxes
    let mirrored = ["\\All", "\\Trash", "\\Junk"]
    return boxes.filter { box in mirrored.contains { box.attributes.contains($0) } }
      .flatMap { box in
        let others = box.attributes.contains("\\All") ? boxes.filter { $0.name != box.name } : []
        return box.messages.map { message in
          Self.line(
            box,
            message,
            others.filter { other in
              other.messages.contains { $0.identity == message.identity }
            }
          )
        }
      }.sorted()
  }

  private static func line(
    _ box: ProviderMailbox,
    _ message: ProviderMailbox.Message,
    _ labels: [ProviderMailbox]
  ) -> String {
    var flags = MaildirTree.letters(message.flags.sorted())
    var tags = Array(message.flags.filter { $0.hasPrefix("$") })
    for label in labels {
      if label.attributes.contains("\\Drafts") {
        if !flags.contains("D") { flags = "D" + flags }
      } else if label.attributes.contains("\\Sent") {
        tags.append("sent")
      } else if !label.attributes.contains("\\Flagged") {
        tags.append(label.name.lowercased())
      }
    }
    let words = tags.isEmpty ? "-" : tags.sorted().joined(separator: " ")
    let name = box.name.replacing("[Gmail]/", with: "")
    return "\(name): \(message.subject) \(flags.isEmpty ? "-" : flags) \(words)"
  }
}
