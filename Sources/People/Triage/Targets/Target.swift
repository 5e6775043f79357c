package import Configuration
package import Maildir
package import Platform
internal import SearchIndex

/// A message that a command is to do something to.
package struct Target: Sendable {
  /// Its Message-ID, without its brackets; empty for none.
  package let id: [UInt8]

  /// Its subject, as UTF-8; empty where only a file was named.
  package let subject: [UInt8]

  /// What its copies have in common; 0 where only a file was named.
  var identity: UInt64 = 0

  /// Which of the threads that were found it is of.
  var thread = 0

  /// Which of the alternatives of the query found it; none where it was not asked.
  var alternatives: [Int] = []

  /// The files that are meant: several where the message lies in several folders.
  package var files: [TargetFile]
}

extension Target {
  /// A message that was found by other means than a ``TargetFinder``, with those of its files that may be meant.
  package init(id: [UInt8], subject: [UInt8], among files: [TargetFile]) {
    self.init(id: id, subject: subject, files: files)
  }
}

/// A file of a message, as it was seen last.
package struct TargetFile: Hashable, Sendable {
  /// The account in whose Maildir it lies.
  package let account: Account

  /// The folder, relative to the root of the account's Maildirs.
  package let folder: [UInt8]

  package let file: ScannedFile

  package init(account: Account, folder: [UInt8], file: ScannedFile) {
    (self.account, self.folder, self.file) = (account, folder, file)
  }

  /// Its path, as it was seen last.
  package var path: Path { file.path(in: account.maildir.appending(folder)) }

  /// Where it lies, and what it shows.
  var place: FilePlace { FilePlace(folder, file.name.flags) }
}

/// Which files of the messages that are found are meant.
package struct TargetRules: Hashable, Sendable {
  /// The only folder whose files are meant, by the name people know; nil for those of the query.
  package var folder: String?

  /// Whether all copies of a message are meant where several are.
  package var allCopies = false

  /// Whether all messages of a thread are meant, in whatever folder they lie.
  package var wholeThread = false

  /// Whether a query may find no message.
  package var mayFindNothing = false

  /// The usual ones.
  package init() {}
}

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
          identity: message.identity,
          thread: threads[message.thread] ?? 0,
          alternatives: alternatives[message.identity, default: []].sorted(),
          files: files
        )
      )
    }
    return targets
  }
}
