internal import MIME
internal import Octets
internal import Platform
package import Spool
package import SpoolPlan

/// An entry as lists show it.
package struct QueuedItem: Sendable {
  /// The spool it lies in.
  package let spool: Spool

  /// Its name.
  package let id: EntryID

  /// Where it stands.
  package let state: EntryState

  /// What its file and its log say; `nil` where they cannot be understood.
  package let content: Content?

  /// Why they cannot be understood; `nil` where they can.
  package let problem: SpoolError?

  /// What is known of an entry.
  package struct Content: Sendable {
    /// What its file says.
    package let entry: Entry

    /// How far it has come.
    package let progress: Progress

    /// What happened to it.
    package let log: [LogRecord]

    /// The subject of its message, decoded; `nil` where it has none.
    package let subject: [UInt8]?
  }

  init(_ spool: Spool, _ id: EntryID, _ state: EntryState) throws(SpoolError) {
    self.spool = spool
    self.id = id
    self.state = state
    do throws(SpoolError) {
      let log = try spool.log(of: id)
      guard let (entry, message) = try spool.beginning(of: id, in: state) else {
        throw .noEntry(id)
      }
      content = Content(
        entry: entry,
        progress: Progress(entry.action, log),
        log: log,
        subject: EntrySubject.text(of: message)
      )
      problem = nil
    } catch {
      content = nil
      problem = error
    }
  }
}

/// What is in queues, as far as it can be read.
package struct QueueListing: Sendable {
  /// The entries, oldest first within each account.
  package internal(set) var items: [QueuedItem] = []

  /// The queues that cannot be read, and why.
  package internal(set) var problems: [(account: String?, error: SpoolError)] = []

  init() {}

  /// Nothing, since not even the accounts can be told.
  package init(_ error: SpoolError) { problems = [(nil, error)] }
}

extension Outbox {
  /// The entries of these accounts, or of all; a queue that cannot be read keeps no other from being shown.
  ///
  /// - Parameters:
  ///   - accounts: the accounts; `nil` for all.
  ///   - text: octets that are in the names of the entries; none for all.
  ///   - states: where the entries stand.
  /// - Returns: the entries, and what cannot be read.
  /// - Throws: `SpoolError` where not even the accounts can be told.
  package func listing(
    of accounts: [String]? = nil,
    matching text: [UInt8] = [],
    in states: [EntryState] = EntryState.wanted
  ) throws(SpoolError) -> QueueListing {
    var listing = QueueListing()
    for spool in try spools() where accounts?.contains(spool.account) ?? true {
      do throws(SpoolError) {
        listing.items += try items(of: spool, text, states)
      } catch {
        listing.problems.append((spool.account, error))
      }
    }
    return listing
  }

  /// All entries of these accounts, oldest first within each.
  ///
  /// - Throws: `SpoolError` where one of their queues cannot be read.
  package func items(
    of accounts: [String],
    matching text: [UInt8] = [],
    in states: [EntryState] = EntryState.wanted
  ) throws(SpoolError) -> [QueuedItem] {
    let listing = try listing(of: accounts, matching: text, in: states)
    if let problem = listing.problems.first { throw problem.error }
    return listing.items
  }

  /// The entry of a name; no directory of entries is read for it.
  ///
  /// - Parameters:
  ///   - id: the name.
  ///   - accounts: the accounts to look in; `nil` for all.
  ///   - states: the states to look in.
  /// - Returns: the entry in the first state where it is; `nil` when it is nowhere.
  /// - Throws: `SpoolError` where the spools cannot be read.
  package func item(
    _ id: EntryID,
    of accounts: [String]? = nil,
    in states: [EntryState] = EntryState.wanted
  ) throws(SpoolError) -> QueuedItem? {
    for spool in try spools() where accounts?.contains(spool.account) ?? true {
      for state in states where try spool.contains(id, in: state) {
        let item = try QueuedItem(spool, id, state)
        // It may have moved on meanwhile.
        if case .noEntry = item.problem { continue }
        return item
      }
    }
    return nil
  }

  private func items(
    of spool: Spool,
    _ text: [UInt8],
    _ states: [EntryState]
  ) throws(SpoolError) -> [QueuedItem] {
    var found: [QueuedItem] = []
    for state in states {
      for id in try spool.entries(state) where id.contains(text) {
        let item = try QueuedItem(spool, id, state)
        // It may have gone, or moved on, since the directory was read.
        if case .noEntry = item.problem { continue }
        found.append(item)
      }
    }
    return found.sorted { $0.id < $1.id }
  }
}

/// The subject of a message of which the beginning is there.
enum EntrySubject {
  /// The subject, decoded; `nil` where there is none.
  static func text(of message: ArraySlice<UInt8>) -> [UInt8]? {
    let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
    let subject = Message(header(of: message)).header.text("Subject", decoder)
    return subject.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// All up to the first empty line.
  private static func header(of message: ArraySlice<UInt8>) -> [UInt8] {
    guard message.first != ASCII.lineFeed else { return [] }
    let end = message.indices.dropLast().first { index in
      message[index] == ASCII.lineFeed && message[index + 1] == ASCII.lineFeed
    }
    return Array(message[..<(end ?? message.endIndex)])
  }
}
