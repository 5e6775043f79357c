import MailModel
import Octets
import SyncPlan
import TestSupport

/// Reads the snapshots of the fixtures.
struct PlanFixture {
  let fixture: Fixture

  func snapshot() throws -> MailboxSnapshot {
    try snapshot(1, "")
  }

  /// The snapshots of a fixture that has several mailboxes; the sections of the second end with ` other`, those of the
  /// third with ` third`.
  func snapshots() throws -> [MailboxSnapshot] {
    [try snapshot(1, ""), try snapshot(2, " other"), try snapshot(3, " third")]
  }

  private func snapshot(_ mailbox: UInt64, _ ending: String) throws -> MailboxSnapshot {
    var snapshot = MailboxSnapshot(empty: mailbox)
    snapshot.base = try records("base" + ending)
    snapshot.formerRecords = try records("former" + ending)
    for record in snapshot.formerRecords { snapshot.detached.insert(record.name) }
    for line in fixture.lines("local" + ending) { try takeLocal(line, &snapshot) }
    snapshot.remote = try remote("remote" + ending)
    for rule in fixture.lines("rules" + ending) { try take(rule: rule, &snapshot) }
    return snapshot
  }

  private func records(_ section: String) throws -> [BaseRecord] {
    try fixture.lines(section).map { line in
      let words = try words(line, 3)
      let content = Content(words)
      return BaseRecord(
        uid: try uid(words[0]),
        name: Array(words[2].utf8),
        flags: flags(words[1]),
        size: content?.size,
        date: content?.date,
        identity: content?.identity,
        completeness: words.contains("partial") ? .partial(name: Array(words[2].utf8)) : .whole
      )
    }
  }

  /// What a message is about: `=` and a number that stands for Message-ID, body, size and date at once.
  ///
  /// After `~` there is no Message-ID. A second number behind a slash is another header, one behind a `!` another body
  /// of the same size; octets behind a `+` are added to the size.
  private struct Content {
    let number: UInt64
    let messageID: UInt64
    let header: UInt64
    let body: UInt64
    let added: UInt64

    init?(_ words: [String]) {
      guard let word = words.first(where: { $0.hasPrefix("=") || $0.hasPrefix("~") }) else {
        return nil
      }
      let parts = word.dropFirst().split(whereSeparator: { $0 == "/" || $0 == "!" || $0 == "+" })
      let numbers = parts.compactMap { UInt64($0) }
      guard let number = numbers.first, numbers.count == parts.count else { return nil }
      self.number = number
      messageID = word.hasPrefix("~") ? 0 : number
      header = word.contains("/") ? numbers[1] : 0
      body = word.contains("!") ? numbers[1] : number
      added = word.contains("+") ? numbers[numbers.count - 1] : 0
    }

    var size: UInt64 { number * 10 + added }
    var date: Int64 { Int64(number) }
    var key: ContentKey { ContentKey(messageID: messageID, header: header) }
    var identity: ContentIdentity {
      ContentIdentity(messageID: messageID, bodyHigh: body, bodyLow: body, header: header)
    }
  }

  /// `busy N` and `later N`: a copy waits, at that time.
  private func patience(_ rules: [String]) -> CopyPatience {
    for rule in rules {
      let words = rule.split(separator: " ").map { "\($0)" }
      guard words.count == 2, let now = Int64(words[1]) else { continue }
      if words[0] == "busy" { return .busy(now: now) }
      if words[0] == "later" { return .unknown(now: now, wait: 60) }
    }
    return .quiet
  }

  func policy(_ direction: SyncDirection) -> Policy {
    let rules = fixture.lines("rules")
    let deletion: LocalDeletion =
      rules.contains("keep") ? .keep : rules.contains("expunge") ? .expunge : .trash
    let expunge: ExpungePolicy = rules.contains("expunge-trash") ? .trash : .never
    return Policy(
      direction: direction,
      localDeletion: deletion,
      expunge: expunge,
      postponesRemovals: rules.contains("postponed"),
      copies: patience(rules),
      isLimited: rules.contains("limited")
    )
  }

  private func takeLocal(_ line: String, _ snapshot: inout MailboxSnapshot) throws {
    if line == "moving" { return snapshot.absence = .unproven }
    if line == "restored" { return snapshot.absence = .restored(isOlder: false) }
    if line == "older" { return snapshot.absence = .restored(isOlder: true) }
    let words = try words(line, 2)
    var file = LocalFile(name: Array(words[0].utf8), flags: flags(words[1]).system)
    if words.count >= 4, words[2] == "own" { file.ownUID = try uid(words[3]) }
    file.identity = Content(words)?.identity
    file.isEdited = words.contains("edited")
    file.isPartial = words.contains("partial")
    file.isDetached = words.contains("detached")
    snapshot.local.append(file)
  }

  private func remote(_ section: String) throws -> RemoteView {
    var messages: [RemoteMessage] = []
    var vanished: [ClosedRange<UInt32>] = []
    let lines = fixture.lines(section)
    for line in lines where line != "changes" {
      let words = try words(line, 2)
      if words[0] == "vanished" {
        let bounds = try words[1].split(separator: ":").map { try uid(String($0)) }
        vanished.append(bounds[0]...bounds[bounds.count - 1])
      } else {
        let date = words.count > 2 ? Int64(words[2]) : nil
        let content = Content(words)
        messages.append(
          RemoteMessage(
            uid: try uid(words[0]),
            flags: flags(words[1]),
            size: content?.size,
            date: content?.date ?? date,
            key: content?.key,
            identity: content?.identity
          )
        )
      }
    }
    return lines.contains("changes")
      ? .changes(RemoteMessages(messages), vanished: vanished)
      : .complete(RemoteMessages(messages))
  }

  private func take(rule: String, _ snapshot: inout MailboxSnapshot) throws {
    let words = rule.split(separator: " ").map { "\($0)" }
    switch words[0] {
    case "pulled": snapshot.policy = policy(.pull)
    case "pushed": snapshot.policy = policy(.push)
    case "keep", "expunge", "expunge-trash", "postponed", "limited", "busy", "later": break
    case "copy":
      let originals = words.dropFirst(2).filter { $0.contains(":") }.map { word in
        let parts = word.split(separator: ":").compactMap { UInt64($0) }
        return RemoteReference(mailbox: parts[0], uid: UInt32(parts[1]))
      }
      snapshot.outside.copies[Array(words[1].utf8)] = FileCopy(
        originals: originals,
        since: words.last.flatMap { Int64($0) },
        isAsked: words.last == "asked"
      )
    case "copied":
      snapshot.outside.copied[try uid(words[1])] = RemoteReference(
        mailbox: UInt64(words[2]) ?? 0,
        uid: try uid(words[3])
      )
    case "no-flags": snapshot.permanentFlags = []
    case "read-only": snapshot.isWritable = false
    case "no-move": snapshot.movesAtOnce = false
    case "no-mark": snapshot.permanentFlags.remove(.deleted)
    case "no-expunge": snapshot.expunges = false
    case "held-here": snapshot.blockedDeletions.here = true
    case "held-there": snapshot.blockedDeletions.there = true
    case "trash": snapshot.role = .trash
    case "label": snapshot.isLabel = true
    case "inbox": snapshot.role = .inbox
    case "labelled":
      let label = RemoteReference(mailbox: UInt64(try uid(words[2])), uid: try uid(words[3]))
      snapshot.outside.labelled[try uid(words[1]), default: []].append(label)
    case "drafts": snapshot.role = .drafts
    case "sent": snapshot.role = .sent
    case "detached": snapshot.detached.insert(Array(words[1].utf8))
    case "elsewhere": snapshot.outside.elsewhere.insert(Array(words[1].utf8))
    case "in-mirrored":
      snapshot.outside.elsewhere.insert(Array(words[1].utf8))
      snapshot.outside.inMirrored.insert(Array(words[1].utf8))
    case "from-elsewhere":
      let look = Content(words).flatMap { Trace(size: $0.size, date: $0.date).key(.look) }
      snapshot.outside.fromElsewhere[Array(words[1].utf8)] = look.map { [$0] } ?? []
    case "survivor":
      let file = Survivor(directory: Array("B".utf8), name: Array("survivor".utf8))
      snapshot.outside.survivors[Array(words[1].utf8)] =
        words.count > 2
        ? .underWay(RemoteReference(mailbox: 3, uid: try uid(words[2]))) : .file(file)
    case "from-deleted": snapshot.outside.fromDeleted.insert(Array(words[1].utf8))
    case "early-arrivals": snapshot.outside.hasEarlyArrivals = true
    case "may-have-moved": snapshot.outside.mayHaveMoved.insert(try uid(words[1]))
    case "claimed": snapshot.outside.claimed.insert(try uid(words[1]))
    case "upload": snapshot.detached.remove(Array(words[1].utf8))
    case "junk": snapshot.role = .junk
    case "requested": snapshot.outside.requested.insert(try uid(words[1]))
    case "pending-expunge": snapshot.pendingExpunges.insert(try uid(words[1]))
    case "under-way":
      let (shown, stored) = (flags(words[2]).system, flags(words[3]).system)
      snapshot.underWay[try uid(words[1])] = FlagsUnderWay(shown: shown, stored: stored)
    case "released": snapshot.deletionGuard.isOverridden = true
    case "fetch-again": snapshot.deletionGuard.fetchesAgain = true
    case "size-limit": snapshot.completions.sizeLimit = UInt64(words[1])
    case "no-size-limit": snapshot.completions.sizeLimit = nil
    case "wanted": snapshot.completions.names.insert(Array(words[1].utf8))
    case "since": snapshot.fetchSince = Int64(words[1])
    case "account":
      snapshot.deletionGuard.recentInAccount = Int(words[1]) ?? 0
      snapshot.deletionGuard.messagesInAccount = Int(words[3]) ?? 0
    default: throw HarnessError("\(fixture.name): rule \(rule)")
    }
  }

  private func words(_ line: String, _ least: Int) throws -> [String] {
    let words = line.split(separator: " ").map { "\($0)" }
    guard words.count >= least else { throw HarnessError("\(fixture.name): \(line)") }
    return words
  }

  private func uid(_ word: String) throws -> UInt32 {
    guard let uid = UInt32(word) else { throw HarnessError("\(fixture.name): UID \(word)") }
    return uid
  }

  private func flags(_ word: String) -> MessageFlags {
    let parts = word.split(separator: "+").map { "\($0)" }
    var flags: SystemFlags = []
    for (letter, bit) in zip("DFPRST", 0...) where parts[0].contains(letter) {
      flags.insert(SystemFlags(rawValue: 1 << bit))
    }
    return MessageFlags(flags, keywords: parts.dropFirst().map { Array($0.utf8) })
  }
}

extension MailboxSnapshot {
  /// A mailbox without files and messages, which may be changed.
  init(empty mailbox: UInt64) {
    self.init(
      mailbox: mailbox,
      directory: Array("mailbox \(mailbox)".utf8),
      role: nil,
      isLabel: false,
      base: [],
      underWay: [:],
      detached: [],
      formerRecords: [],
      local: [],
      absence: .proven,
      outside: .none,
      pendingExpunges: [],
      remote: .unchanged,
      isWritable: true,
      permanentFlags: .all,
      fetchSince: nil,
      completions: Completions(sizeLimit: 0, names: []),
      deletionGuard: DeletionGuard(
        recentInMailbox: 0,
        recentInAccount: 0,
        messagesInAccount: 0,
        isOverridden: false
      ),
      blockedDeletions: .none,
      expunges: true,
      movesAtOnce: true
    )
  }
}
