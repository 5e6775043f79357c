internal import SearchIndex

/// The tags that lines of a dump give to messages.
struct WantedTags {
  private struct Message: Hashable {
    let id: [UInt8]
    let content: UInt64
  }

  private var common: [[UInt8]: [[UInt8]]] = [:]
  private var own: [Message: [[UInt8]]] = [:]
  /// What only some messages of a Message-ID have.
  private var others: [[UInt8]: Set<[UInt8]>] = [:]

  init(_ lines: [TagLine]) {
    for line in lines {
      if let content = line.content {
        own[Message(id: line.id, content: content), default: []] += line.tags
        others[line.id, default: []].formUnion(line.tags)
      } else {
        common[line.id, default: []] += line.tags
      }
    }
  }

  /// The tags of a message; nil where no line names it.
  ///
  /// One that has no line of its own gets all that those of its Message-ID have, as it is one message with them to notmuch.
  func tags(of message: FoundMessage) -> [[UInt8]]? {
    let own = own[Message(id: message.id, content: message.content)]
    guard let own else { return common[message.id] }
    let others = others[message.id] ?? []
    return (common[message.id] ?? []).filter { !others.contains($0) } + own
  }
}
