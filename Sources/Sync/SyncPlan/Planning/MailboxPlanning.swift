internal import MailModel
internal import Octets

/// The planning of one mailbox, message by message.
struct MailboxPlanning {
  let snapshot: MailboxSnapshot
  let difference: LocalDifference
  let remote: RemoteIndex
  let matches: Matches
  let policy: Policy
  /// UIDs that need not be fetched.
  var knownUIDs: Set<UInt32>
  /// What the server lost of the mailbox, and what is lost here.
  var lossesThere = Losses()
  var lossesHere = Losses()
  var result: MailboxPlan

  init(
    _ snapshot: MailboxSnapshot,
    _ difference: LocalDifference,
    _ remote: RemoteIndex,
    _ matches: Matches,
    _ policy: Policy
  ) {
    self.snapshot = snapshot
    self.difference = difference
    self.remote = remote
    self.matches = matches
    self.policy = policy
    result = MailboxPlan(mailbox: snapshot.mailbox)
    // What is not fetched now is told again to the next run, which may see that it was moved here.
    result.isPostponed = snapshot.outside.hasEarlyArrivals
    result.downloads = PlannedDownloads(of: remote.messages)
    knownUIDs = snapshot.knownUIDs
    lossesThere.possible = snapshot.unchanged
    lossesHere.possible = snapshot.unchanged
  }

  mutating func plan() -> MailboxPlan {
    for record in snapshot.base { planKnown(record) }
    planDetached()
    planAdditions()
    for message in remote.newestFirst(but: knownUIDs) { planUnknown(message) }
    guardRemovals()
    return result
  }

  func reference(_ uid: UInt32) -> RemoteReference {
    RemoteReference(mailbox: snapshot.mailbox, uid: uid)
  }

  // MARK: The deletion guard

  private mutating func guardRemovals() {
    let held = BlockedDeletions(
      here: holds(result.removedMessages, lossesHere, wasHeld: snapshot.blockedDeletions.here),
      there: holds(result.removedFiles, lossesThere, wasHeld: snapshot.blockedDeletions.there)
    )
    result.hold(.losses(held))
    result.blockedDeletions = held.union(isJudged ? .none : snapshot.blockedDeletions)
  }

  /// Whether the run sees all that is lost, or a person said what is to become of it: a run of one direction lets nothing go.
  private var isJudged: Bool {
    policy.pulls && policy.pushes || snapshot.deletionGuard.isOverridden
  }

  private var expectsDeletions: Bool { snapshot.role?.expectsDeletions ?? false }

  private func holds(_ deletions: Int, _ losses: Losses, wasHeld: Bool) -> Bool {
    if expectsDeletions || snapshot.deletionGuard.isOverridden { return false }
    return (wasHeld && losses.lost > 0)
      || snapshot.deletionGuard.trips(deletions: deletions, after: losses)
      || snapshot.deletionGuard.holdsInAccount(deletions)
  }
}

/// Files that were synced once and are detached.
extension MailboxPlanning {
  /// Has those follow their messages that the server has again, and notes those that only their names tell of.
  mutating func planDetached() {
    for file in difference.detached {
      let place = Place(mailbox: snapshot.mailbox, file: file)
      guard matches.moves.isFree(place), !matches.serverMoves.followed.contains(place) else {
        continue
      }
      if let message = returned(file) {
        match(file, to: message)
      } else if !snapshot.detached.contains(file.name) {
        add(MailboxFact.detach(name: file.name, uid: nil), .unknownOnServer)
      }
    }
  }

  /// The message that a detached file is of, as its name says, if the server has it again under its UID.
  private func returned(_ file: LocalFile) -> RemoteMessage? {
    guard policy.pulls, let uid = file.ownUID, !knownUIDs.contains(uid),
      matches.serverMoves.departures[reference(uid)] == nil
    else { return nil }
    return remote.message(uid)
  }
}

/// Base names for files where their own belong to other messages.
package enum FreshName {
  /// The `number`th, from 1: `_1` behind what comes before the first dot.
  package static func form(_ number: Int, of name: [UInt8]) -> [UInt8] {
    let stem = name.prefix { $0 != ASCII.dot }
    return stem + [ASCII.underscore] + [UInt8](decimal: number) + name[stem.endIndex...]
  }

  /// Those of the names, and of the names that files could get in their place, that are there.
  ///
  /// Where several have one name each of them may get one, and finds those given away that the others got.
  package static func taken(of names: [[UInt8]], isThere: ([UInt8]) -> Bool) -> [[UInt8]] {
    var taken: [[UInt8]] = []
    for (name, count) in Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +) {
      if isThere(name) { taken.append(name) }
      var (number, free) = (0, 0)
      while free < count {
        number += 1
        let fresh = form(number, of: name)
        if isThere(fresh) { taken.append(fresh) } else { free += 1 }
      }
    }
    return taken
  }
}
