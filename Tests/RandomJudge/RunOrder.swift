import Octets

/// How a run is made, and what happens in the midst of it.
///
/// Requests are those to a server in memory, numbered from 1; each message that is fetched or uploaded is one. With a real
/// server milliseconds stand in their place, and octets for a cut.
struct RunOrder {
  /// The fault point at which it ends itself.
  var fault: Int?
  /// A change on disk that fails, "N:ENOSPC", and all after it, "N+:ENOSPC".
  var error: String?
  /// The request before which it ends itself.
  var kill: Int?
  /// The request before which it is asked to end.
  var term: Int?
  /// The request before which the connection breaks, and it is asked to end.
  var cut: Int?
  /// The request after which the connection breaks, and it is asked to end: what was asked for is done.
  var cutAfter: Int?
  /// Whether it looks at everything.
  var isScanning = false
  /// Whether what was removed here is left on the server for a later run.
  var isPostponing = false
  /// Whether nothing changed in the account for a minute, as far as a watch can tell.
  var isQuiet = false
  /// Whether it comes within a minute of the run before.
  var isSoon = false
  /// The only mailbox that takes part; nil where all do.
  var only: String?
  /// Which side may be changed.
  var way = Way.both
  /// Whether a watch syncs until it is ended by the signal, so many milliseconds after the last step.
  var isWatch = false
  /// Whether it is left to connect again where its connection broke.
  var isPatient = false
  /// Whether all removals are let through.
  var isAllowed = false
  /// What is done before a request, by its number.
  var races: [(request: Int, step: String)] = []
  /// What a person does before the run reads a directory, by the number of the read.
  var reads: [(read: Int, step: String)] = []

  /// A direction.
  enum Way { case both, pull, push }

  /// A run without trouble.
  init() {}

  /// The run that a step asks for: what stands behind "m1 sync".
  init(_ words: [String], races: [String]) throws {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map { "\($0)" }
      let value = parts.count > 1 ? parts[1] : ""
      switch parts[0] {
      case "fault": fault = Int(value)
      case "error": error = value
      case "kill": kill = Int(value)
      case "term": term = Int(value)
      case "cut": cut = Int(value)
      case "cutafter": cutAfter = Int(value)
      case "only": only = Step.name(value)
      case "scan": isScanning = true
      case "patient": isPatient = true
      case "postpone": isPostponing = true
      case "quiet": isQuiet = true
      case "soon": isSoon = true
      case "pull": way = .pull
      case "push": way = .push
      default: throw BadStep(line: word)
      }
    }
    for race in races {
      let parts = race.split(separator: " ", maxSplits: 1).map { "\($0)" }
      let isRead = race.hasPrefix("@")
      guard parts.count == 2, let number = Int(parts[0].drop { $0 == "@" }) else {
        throw BadStep(line: race)
      }
      if isRead { reads.append((number, parts[1])) } else { self.races.append((number, parts[1])) }
    }
  }

  /// Whether it ends its own process.
  var endsProcess: Bool { fault != nil || kill != nil }

  /// Whether it may end early.
  var isCut: Bool {
    isWatch || fault != nil || error != nil || kill != nil || term != nil || cut != nil
      || cutAfter != nil
  }
}

/// How a run ended, and what it said.
struct RunEnd: CustomStringConvertible {
  /// The exit status, or the number of a signal as a negative one.
  var status: Int32
  /// What is wrong, a line each: account, mailbox, what, hint.
  var problems: [String] = []
  /// The files that it said are detached.
  var detached: Set<String> = []
  /// What it said waits for a mailbox which was not looked at, or left planned: messages as mailbox and UID, files as mailbox
  /// and base name.
  var waiting: Set<String> = []
  /// Whether new files wait for what becomes of the messages that they are copies of.
  var awaitsOriginals = false
  /// What it uploaded although the server had it: tokens, and the mailboxes that had them.
  var uploads: [(token: String, mailbox: String)] = []
  /// How many messages it left for another day.
  var left = 0
  /// What it did.
  var words: [String] = []

  /// An end that did not come about in a regular way.
  init(status: Int32) { self.status = status }

  /// The end as the process of a run told it: a line each, which begins with a letter for its kind.
  init(said: [UInt8]) {
    self.init(status: 0)
    for line in said.split(separator: ASCII.lineFeed) {
      let text = String(decoding: line.dropFirst(), as: UTF8.self)
      switch line.first {
      case UInt8(ascii: "P"): problems.append(text)
      case UInt8(ascii: "D"): detached.insert(text)
      case UInt8(ascii: "B"): waiting.insert(text)
      case UInt8(ascii: "C"): awaitsOriginals = true
      case UInt8(ascii: "U"):
        let parts = text.split(separator: "/", maxSplits: 1).map { "\($0)" }
        if parts.count == 2 { uploads.append((parts[0], parts[1])) }
      case UInt8(ascii: "L"): left += Int(text) ?? 0
      default: words.append(text)
      }
    }
  }

  var description: String { (["status \(status)"] + words + problems).joined(separator: "\n") }
}
