package import Threads

/// A thread in which something was found.
package struct FoundThread: Sendable {
  /// Its name.
  package let id: ThreadID

  /// All its messages, the oldest first.
  package var messages: [FoundMessage]

  package init(id: ThreadID, messages: [FoundMessage]) {
    self.id = id
    self.messages = messages
  }

  /// The subject of the oldest message that answers none of the others, without `Re:` and its like.
  package var subject: [UInt8] {
    if messages.count == 1 { return SubjectBase(messages[0].subject).display }
    let tree = ThreadTree(messages.map(\.member))
    guard let root = tree.roots.first else { return [] }
    return SubjectBase(messages[root].subject).display
  }

  /// The subject of the message by which it stands in a list, the newest (or oldest) that was found, without `Re:` and
  /// its like; where that has none, of the next that has one.
  package func subject(_ order: SearchOrder) -> [UInt8] {
    let found = messages.indices.filter { messages[$0].isMatch }
    let places = (order == .oldestFirst ? found : found.reversed()) + messages.indices
    let subjects = places.lazy.map { SubjectBase(messages[$0].subject).display }
    return subjects.first { !$0.isEmpty } ?? []
  }

  /// The messages that their subject alone joins to it: those that no ids link to its oldest one.
  package var joinedBySubject: [FoundMessage] {
    ThreadPartition.joinedBySubject(messages.map(\.member)).map { messages[$0] }
  }

  /// The messages that their subject alone joins to those of it that were found.
  package var joinedToFoundBySubject: [FoundMessage] {
    let seeds = Set(messages.indices.filter { messages[$0].isMatch })
    return ThreadPartition.joinedBySubject(messages.map(\.member), seeds: seeds)
      .map { messages[$0] }
  }

  /// The tags that any of its messages has, sorted.
  package var tags: [Tag] { Set(messages.flatMap(\.tags)).sorted() }

  /// The authors of what was found, then those of the rest; each once, in the order of their first message.
  package var authors: (matched: [Person], others: [Person]) {
    var seen: Set<[UInt8]> = []
    var matched: [Person] = []
    var others: [Person] = []
    for message in messages where message.isMatch {
      for person in message.from where seen.insert(person.shortName).inserted {
        matched.append(person)
      }
    }
    for message in messages where !message.isMatch {
      for person in message.from where seen.insert(person.shortName).inserted {
        others.append(person)
      }
    }
    return (matched, others)
  }

  /// The beginning of the newest message.
  package var snippet: [UInt8] { messages.last?.snippet ?? [] }
}
