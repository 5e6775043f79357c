internal import MailModel
internal import Octets

/// What a server was seen to do, as text: digests of the account, then a line a fact, then the checksum.
package enum ServerTraitsFile {
  /// Whose server it is.
  package struct Owner: Hashable, Sendable {
    /// Changes with the server, the user, and where the secret comes from.
    package var login: [UInt8]
    /// Changes with the server and the user alone.
    package var user: [UInt8]

    package init(login: [UInt8], user: [UInt8]) {
      self.login = login
      self.user = user
    }
  }

  private static let title = TextFile.Title("magnum-server", version: 1)

  /// The whole file.
  package static func encode(_ traits: ServerTraits, of owner: Owner) -> [UInt8] {
    var octets = title.octets + [ASCII.lineFeed]
    for line in lines(of: traits, owner) { octets += line.octets + [ASCII.lineFeed] }
    return TextFile.seal(octets)
  }

  /// The traits of a file; nil where it is not whole, of another version, or about another server or user.
  ///
  /// After a change of the secret, which may have been one of anything else in the same file, it still holds what the mailboxes
  /// are for, that the greeting has to be awaited, and what came of the test of labels.
  package static func decode(_ octets: [UInt8], of owner: Owner) -> ServerTraits? {
    guard let body = try? TextFile.open(octets, title: title) else { return nil }
    var traits = ServerTraits()
    var found = Owner(login: [], user: [])
    for line in body.split(separator: ASCII.lineFeed) {
      guard readLine(line, into: &traits, &found) else { return nil }
    }
    if found.login == owner.login { return traits }
    guard found.user == owner.user else { return nil }
    var remaining = ServerTraits()
    remaining.roles = traits.roles
    remaining.awaitsGreeting = traits.awaitsGreeting
    remaining.labelCheck = traits.labelCheck
    return remaining
  }

  private static func lines(of traits: ServerTraits, _ owner: Owner) -> [LineWriter] {
    var lines = [line("account") { $0.name(owner.login) }, line("user") { $0.name(owner.user) }]
    if let identity = traits.identity {
      lines.append(line("identity") { $0.name(Hex.digits(identity)) })
    }
    switch traits.pipelining {
    case .untried: break
    case .works: lines.append(line("pipelining") { $0.word("works") })
    case .fails: lines.append(line("pipelining") { $0.word("fails") })
    }
    if traits.logsInByPlain { lines.append(line("log-in") { $0.word("plain") }) }
    if traits.awaitsGreeting { lines.append(line("greeting") { $0.word("awaited") }) }
    if let runs = traits.cleanRuns { lines.append(line("clean-runs") { $0.number(runs) }) }
    if traits.refusesInitialResponse {
      lines.append(line("initial-response") { $0.word("refused") })
    }
    if let end = traits.refusesEarlyQuestionsUntil {
      lines.append(line("early-questions") { $0.number(end) })
    }
    if traits.idleBreaks > 0 || traits.refusesIdleUntil != nil {
      lines.append(
        line("idle") {
          $0.number(traits.idleBreaks)
          $0.number(traits.refusesIdleUntil ?? 0)
        }
      )
    }
    if traits.needsIdentity { lines.append(line("id") { $0.word("needed") }) }
    if traits.refusesMove { lines.append(line("move") { $0.word("refused") }) }
    if traits.hidesNext { lines.append(line("uid-next") { $0.word("hidden") }) }
    for (role, mailbox) in traits.roles.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines.append(
        line("role") {
          $0.name(Array(role.rawValue.utf8))
          $0.name(mailbox)
        }
      )
    }
    if let labels = traits.labels {
      lines.append(
        line("labels") {
          $0.number(labels.time)
          $0.name(Hex.digits(labels.digest))
        }
      )
    }
    switch traits.labelCheck {
    case nil: break
    case .passed(let time): lines.append(line("labels-passed") { $0.number(time) })
    case .failed(let time, let fact):
      lines.append(
        line("labels-failed") {
          $0.number(time)
          $0.name(fact)
        }
      )
    }
    if let limit = traits.connections {
      lines.append(
        line("connections") {
          $0.number(limit.count)
          $0.number(limit.end)
        }
      )
    }
    if let pause = traits.pause {
      lines.append(
        line("pause") {
          $0.number(pause.end)
          $0.number(pause.runs)
          $0.name(pause.reason)
        }
      )
    }
    return lines
  }

  private static func line(
    _ word: StaticString,
    _ rest: (inout LineWriter) -> Void
  ) -> LineWriter {
    var line = LineWriter()
    line.word(word)
    rest(&line)
    return line
  }

  private static func readLine(
    _ line: ArraySlice<UInt8>,
    into traits: inout ServerTraits,
    _ owner: inout Owner
  ) -> Bool {
    var reader = LineReader(line)
    guard let kind = reader.word() else { return false }
    if kind.elementsEqual("account".utf8) {
      guard let digest = reader.name() else { return false }
      owner.login = digest
    } else if kind.elementsEqual("user".utf8) {
      guard let digest = reader.name() else { return false }
      owner.user = digest
    } else if kind.elementsEqual("identity".utf8) {
      guard let identity = reader.identifier() else { return false }
      traits.identity = identity
    } else if kind.elementsEqual("pipelining".utf8) {
      guard let word = reader.word(), let pipelining = pipelining(word) else { return false }
      traits.pipelining = pipelining
    } else if kind.elementsEqual("log-in".utf8) {
      guard reader.word()?.elementsEqual("plain".utf8) == true else { return false }
      traits.logsInByPlain = true
    } else if kind.elementsEqual("greeting".utf8) {
      guard reader.word()?.elementsEqual("awaited".utf8) == true else { return false }
      traits.awaitsGreeting = true
    } else if kind.elementsEqual("clean-runs".utf8) {
      guard let runs = reader.number(Int.self), runs >= 0 else { return false }
      traits.cleanRuns = runs
    } else if kind.elementsEqual("initial-response".utf8) {
      guard reader.word()?.elementsEqual("refused".utf8) == true else { return false }
      traits.refusesInitialResponse = true
    } else if kind.elementsEqual("early-questions".utf8) {
      guard let end = reader.number(Int64.self) else { return false }
      traits.refusesEarlyQuestionsUntil = end
    } else if kind.elementsEqual("idle".utf8) {
      guard let breaks = reader.number(Int.self), let end = reader.number(Int64.self) else {
        return false
      }
      (traits.idleBreaks, traits.refusesIdleUntil) = (breaks, end > 0 ? end : nil)
    } else if kind.elementsEqual("id".utf8) {
      guard reader.word()?.elementsEqual("needed".utf8) == true else { return false }
      traits.needsIdentity = true
    } else if kind.elementsEqual("move".utf8) {
      guard reader.word()?.elementsEqual("refused".utf8) == true else { return false }
      traits.refusesMove = true
    } else if kind.elementsEqual("uid-next".utf8) {
      guard reader.word()?.elementsEqual("hidden".utf8) == true else { return false }
      traits.hidesNext = true
    } else if kind.elementsEqual("role".utf8) {
      guard let word = reader.name(), let mailbox = reader.name(),
        let role = MailboxRole(rawValue: String(decoding: word, as: UTF8.self))
      else { return false }
      traits.roles[role] = mailbox
    } else if kind.elementsEqual("labels".utf8) {
      guard let time = reader.number(Int64.self), let digest = reader.identifier() else {
        return false
      }
      traits.labels = ServerTraits.LabelReading(time: time, digest: digest)
    } else if kind.elementsEqual("labels-passed".utf8) {
      guard let time = reader.number(Int64.self) else { return false }
      traits.labelCheck = .passed(time)
    } else if kind.elementsEqual("labels-failed".utf8) {
      guard let time = reader.number(Int64.self), let fact = reader.name() else { return false }
      traits.labelCheck = .failed(time, fact)
    } else if kind.elementsEqual("connections".utf8) {
      guard let count = reader.number(Int.self), let end = reader.number(Int64.self), count > 0
      else { return false }
      traits.connections = ServerTraits.ConnectionLimit(count: count, end: end)
    } else if kind.elementsEqual("pause".utf8) {
      guard let end = reader.number(Int64.self), let runs = reader.number(Int.self), runs > 0,
        let reason = reader.name()
      else { return false }
      traits.pause = ServerTraits.Pause(end: end, runs: runs, reason: reason)
    } else {
      return false
    }
    return reader.isAtEnd
  }

  private static func pipelining(_ word: ArraySlice<UInt8>) -> ServerTraits.Pipelining? {
    if word.elementsEqual("works".utf8) { return .works }
    return word.elementsEqual("fails".utf8) ? .fails : nil
  }
}
