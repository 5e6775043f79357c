internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Has files carry the tags of messages that are about to be sent where they come without their keywords.
///
/// That is to another mailbox, or as a new version. From then on they are tags that the server is to be told of, whatever ends the
/// run.
struct TravellingTags {
  /// A file of a message, with its former name.
  private struct Traveller {
    let source: OpenMailbox
    let former: [UInt8]
    let target: OpenMailbox
    let name: [UInt8]
    let keywords: [[UInt8]]
  }

  private let store: StateStore
  private let travellers: [Traveller]

  /// Of mailboxes that are planned together, before anything is sent.
  init(_ store: StateStore, _ group: [OpenMailbox]) {
    self.store = store
    guard group.contains(where: { $0.remote.keptFlags.setsKeywordsApart }) else {
      travellers = []
      return
    }
    let byID = group.keyed(by: \.mailbox.id)
    travellers = group.flatMap { mailbox in
      Self.moved(from: mailbox, byID) + Self.sent(to: mailbox)
    }
  }

  private static func moved(
    from source: OpenMailbox,
    _ group: [UInt64: OpenMailbox]
  ) -> [Traveller] {
    source.remainingPlan.moves.map(\.step).compactMap { move in
      guard let target = group[move.target], target.remote.keptFlags.setsKeywordsApart,
        let record = source.state.messages[move.uid]
      else { return nil }
      return Traveller(
        source: source,
        former: record.name,
        target: target,
        name: move.name,
        keywords: record.flags.keywords
      )
    }
  }

  private static func sent(to target: OpenMailbox) -> [Traveller] {
    guard target.remote.keptFlags.setsKeywordsApart else { return [] }
    return target.remainingPlan.uploads.map(\.step).map { upload in
      Traveller(
        source: target,
        former: upload.name,
        target: target,
        name: upload.name,
        keywords: upload.flags.keywords
      )
    }
  }

  /// Writes them down; gives the files of which something is written.
  func keep() throws(SyncFailure) -> [(mailbox: OpenMailbox, base: [UInt8])] {
    let travellers = travellers
    guard !travellers.isEmpty else { return [] }
    return try attempt { () throws(SystemError) in
      try TagLock.with(store.directory) { () throws(SystemError) in try Self.write(travellers) }
    }
  }

  private static func write(
    _ travellers: [Traveller]
  ) throws(SystemError) -> [(mailbox: OpenMailbox, base: [UInt8])] {
    var files = try TagFiles(travellers.flatMap { [$0.source, $0.target] })
    for traveller in travellers {
      let (source, target) = (traveller.source, traveller.target)
      var tags = files[target, traveller.name]
      if source !== target || traveller.former != traveller.name {
        for base in Set([traveller.former, traveller.name]) {
          tags.add(files[source, base])
          files[source, base] = TagFile.Tags()
        }
      }
      tags.carryAll(beside: traveller.keywords)
      files[target, traveller.name] = tags
    }
    try files.write()
    return travellers.map { (mailbox: $0.target, base: $0.name) }
      .filter { files.isChanged($0.mailbox, $0.base) }
  }
}
