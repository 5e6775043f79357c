internal import Configuration
internal import SearchIndex

/// The messages that a query finds in several accounts, each once with all of its copies, the newest first.
struct FoundTargets {
  private var found: [(message: FoundMessage, account: Account)] = []
  /// Which alternatives of the query found a message, by its identity.
  private var alternatives: [UInt64: Set<Int>] = [:]

  /// Takes what was found in an account.
  mutating func add(_ messages: [FoundMessage], of account: Account) {
    found += messages.map { ($0, account) }
  }

  /// Adds the messages that an alternative of the query found.
  mutating func addMessages(_ messages: [FoundMessage], foundBy alternative: Int) {
    for message in messages { alternatives[message.identity, default: []].insert(alternative) }
  }

  var targets: [Target] {
    let names = Set(found.map(\.message.thread))
    let threads = Dictionary(uniqueKeysWithValues: zip(names, 0...))
    var places: [UInt64: Int] = [:]
    var targets: [Target] = []
    for (message, account) in found.sorted(by: { $0.message.date > $1.message.date }) {
      let files = TargetFile.all(of: message, account)
      if let place = places[message.identity] {
        targets[place].files += files
        continue
      }
      places[message.identity] = targets.count
      targets.append(
        Target(
          id: message.id,
          subject: message.subject,
          thread: threads[message.thread] ?? 0,
          alternatives: alternatives[message.identity, default: []].sorted(),
          files: files
        )
      )
    }
    return targets
  }
}
