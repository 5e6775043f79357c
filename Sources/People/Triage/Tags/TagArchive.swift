package import Configuration
internal import Correspondence
internal import Maildir
package import MailModel
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex

/// The tags of all messages as text, and back.
package struct TagArchive {
  /// What came of reading lines.
  package struct Restored: Sendable {
    /// What is to be done.
    package internal(set) var plan = PlannedAct()
    /// The messages that are in no Maildir.
    package internal(set) var unknown: [[UInt8]] = []
    /// What lines name as tags and no message can have.
    package internal(set) var refused: [[UInt8]] = []
  }

  private let configuration: Configuration
  private let accounts: [Account]

  /// Why the messages of other accounts are left out.
  package let leftOut: [Explanation]

  /// The tags of the messages of accounts; all of them where none is named.
  ///
  /// - Throws: an account that is not configured.
  package init(
    _ configuration: Configuration,
    accounts names: [String]
  ) throws(Explanation) {
    self.configuration = configuration
    let searched = SearchedAccounts(try configuration.accounts(named: names), named: names)
    (accounts, leftOut) = (searched.accounts, searched.leftOut)
  }

  /// How many messages have each tag, by name.
  ///
  /// - Throws: that an index cannot be read.
  package func counts() throws(Explanation) -> [(tag: [UInt8], count: Int)] {
    let set = try explaining(.partial) { () throws(SystemError) in
      try SearchSet(accounts, stemming: nil)
    }
    return try indexed { () throws(IndexError) in
      var counts: [(tag: [UInt8], count: Int)] = []
      for tag in try set.vocabulary().tags.sorted() {
        let name = [UInt8](tag.rawValue.utf8)
        if RuleMark.isOne(name) { continue }
        counts.append((name, try set.count(.exact(.tag, name))))
      }
      return counts
    }
  }

  /// Gives the tags of each message that a query finds; all messages where it is empty.
  ///
  /// - Throws: that an index cannot be read; a mistake in the query.
  package func each(
    foundBy text: String = "",
    now: Int64 = Clock.now(),
    _ body: (TagLine) -> Void
  ) throws(Explanation) {
    let query = text.isEmpty ? Query.everything : try configuration.query(text, now: now)
    let set = try explaining(.partial) { () throws(SystemError) in
      try SearchSet(accounts, stemming: text.isEmpty ? nil : "english")
    }
    let messages = try indexed { () throws(IndexError) in try set.messages(query, .oldestFirst) }
    var places: [[UInt8]: Int] = [:]
    var groups: [[FoundMessage]] = []
    for message in messages {
      if let place = places[message.id] {
        groups[place].append(message)
      } else {
        places[message.id] = groups.count
        groups.append([message])
      }
    }
    for group in groups { for line in Self.lines(of: group) { body(line) } }
  }

  /// The lines of the messages of one Message-ID: first one for all, as they are one message to notmuch; then one for each,
  /// unless all have the same tags.
  private static func lines(of messages: [FoundMessage]) -> [TagLine] {
    let all = Set(messages.flatMap(\.tags)).sorted()
    guard let id = messages.first?.id else { return [] }
    let own = Set(messages.map { Set(names($0.tags).filter(TagEdit.isOwn)) })
    let each =
      own.count == 1
      ? [] : messages.map { TagLine(id: id, tags: names($0.tags), content: $0.content) }
    return [TagLine(id: id, tags: names(all))] + each
  }

  private static func names(_ tags: [Tag]) -> [[UInt8]] {
    tags.map { [UInt8]($0.rawValue.utf8) }
  }

  /// What makes messages have the tags of lines; flags and places are left alone.
  ///
  /// - Parameters:
  ///   - lines: the messages with their tags; those of one message add up.
  ///   - isReplacing: whether messages lose the tags that their lines do not name.
  /// - Returns: what is to be done, and the messages that are not there.
  /// - Throws: that an index cannot be read.
  package func restore(
    _ lines: [TagLine],
    replacing isReplacing: Bool
  ) throws(Explanation) -> Restored {
    let wanted = WantedTags(lines)
    var restored = Restored()
    let reader = TagReader()
    var found: Set<[UInt8]> = []
    var number = 0
    var names = FolderFiles()
    for account in accounts {
      let set = try explaining(.partial) { () throws(SystemError) in
        try SearchSet([account], stemming: nil)
      }
      let messages = try indexed { () throws(IndexError) in
        try set.messages(.everything, .unsorted)
      }
      for message in messages {
        guard let tags = wanted.tags(of: message) else { continue }
        let files = TargetFile.all(of: message, account).compactMap { names.current($0) }
        if files.isEmpty { continue }
        if let id = wanted.line(of: message) { found.insert(id) }
        let own = tags.filter { TagEdit.isOwn($0) }
        var isChanged = false
        for file in files {
          let others = reader.tags(of: file).filter { tag in
            !own.contains { $0.equalsCaseless(tag) }
          }
          let removed = isReplacing ? others : []
          guard let change = reader.change(own, removed, file, at: file.place) else { continue }
          isChanged = true
          let step = ActStep(
            account: account.name,
            id: message.id,
            base: file.file.name.base,
            change
          )
          restored.plan.steps.append(
            PlannedAct.Step(step: step, seen: file.file, message: number)
          )
        }
        if isChanged { number += 1 } else { restored.plan.unchanged += 1 }
      }
    }
    restored.refused = Set(lines.flatMap(\.tags)).filter { !TagName.isOne($0) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    restored.unknown = lines.filter { $0.content == nil && !found.contains($0.id) }.map(\.id)
    return restored
  }

  private func indexed<Value>(
    _ body: () throws(IndexError) -> Value
  ) throws(Explanation) -> Value {
    do throws(IndexError) {
      return try body()
    } catch {
      throw Explanation(.partial, place: "index", error.message, hint: error.hint)
    }
  }
}

extension TargetFile {
  /// The files of a message that an account's index knows.
  static func all(of message: FoundMessage, _ account: Account) -> [TargetFile] {
    let root = account.maildir.octets.count + 1
    return message.files.map { file in
      TargetFile(
        account: account,
        folder: [UInt8](file.maildir.octets.dropFirst(root)),
        file: file.file
      )
    }
  }
}

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
  /// The ids of lines by what earlier versions encoded in them.
  private var encoded: [[UInt8]: [UInt8]] = [:]

  init(_ lines: [TagLine]) {
    for line in lines {
      if let decoded = line.decodedID { encoded[decoded] = line.id }
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
    guard let id = line(of: message) else { return nil }
    let own = own[Message(id: id, content: message.content)]
    guard let own else { return common[id] }
    let others = others[id] ?? []
    return (common[id] ?? []).filter { !others.contains($0) } + own
  }

  /// The id of the lines that are about a message; nil where none is.
  func line(of message: FoundMessage) -> [UInt8]? {
    [message.id, encoded[message.id]].compactMap { $0 }.first {
      common[$0] != nil || others[$0] != nil
    }
  }
}
