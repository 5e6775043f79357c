internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan

// Messages that the server rewrote when it took them.
extension MailboxRematch {
  /// The outcome with those files and messages joined that are left over, have one Message-ID, and hold the same except for what
  /// servers rewrite.
  func joiningRewritten(
    _ outcome: Rematch,
    _ locals: [Rematch.Local],
    _ remotes: inout [Rematch.Remote]
  ) throws(SyncFailure) -> Rematch {
    let open = Set(outcome.fresh)
    let left = OctetSet(outcome.detached + outcome.additions)
    // The body of a partial file is no message's.
    let files = locals.filter {
      left.contains($0.name) && $0.identity.messageID != 0 && $0.bodySize != nil
    }
    let identifiers = Set(files.map(\.identity.messageID))
    let places = remotes.indices.filter {
      open.contains(remotes[$0].message.uid) && identifiers.contains(remotes[$0].messageID)
    }
    guard !places.isEmpty else { return outcome }
    let contents = try store.contents(of: places.map { remotes[$0].message.uid }, in: reference)
    context.noteFetched(places.map { remotes[$0].message.size })
    var free: [EssentialContent: [Int]] = [:]
    for place in places {
      guard let content = contents[remotes[place].message.uid] else { continue }
      remotes[place].recordContent(content)
      if let essential = content.essential { free[essential, default: []].append(place) }
    }
    var pairs: [(local: Rematch.Local, remote: Rematch.Remote)] = []
    for file in files {
      guard let essential = try essential(of: file.name), let place = free[essential]?.first
      else { continue }
      free[essential]?.removeFirst()
      pairs.append((file, remotes[place]))
    }
    return Rematch(outcome, joining: pairs)
  }

  private func essential(of name: [UInt8]) throws(SyncFailure) -> EssentialContent? {
    guard let path = local.files[name]?.path(in: directory) else { return nil }
    return try attempt(EssentialContent(of: path))
  }
}
