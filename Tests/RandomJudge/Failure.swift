/// What the judge found wrong.
struct Failure: Error, CustomStringConvertible {
  enum Kind: String {
    /// A message is nowhere, or fewer times than it has to be.
    case lost = "LOST"
    /// A message is there more often than it may be.
    case double = "DOUBLE"
    /// The latest text of a draft is missing, or a text has changed.
    case stale = "STALE"
    /// A message is sent to a server that has it.
    case uploaded = "UPLOADED"
    /// A message is in a mailbox where nothing has put it.
    case misplaced = "MISPLACED"
    /// A flag or keyword is not what it has to be.
    case flags = "FLAGS"
    /// The sides differ, the status is 0.
    case silent = "SILENT"
    /// The sides differ, the status is not 0.
    case disagree = "DISAGREE"
    /// The deletion guard let an accident through.
    case guardLet = "GUARD"
    /// The status does not become 0, and nothing that was done explains it.
    case stuck = "STUCK"
    /// The runs go on changing something.
    case changed = "CHANGED"
    /// The program ended by a signal, hangs, or ended with a status that a quiet run cannot have.
    case crash = "CRASH"
    /// The judge itself failed.
    case harness = "HARNESS"
  }

  let kind: Kind
  let token: String?
  let text: String

  init(_ kind: Kind, _ token: String?, _ text: String) {
    self.kind = kind
    self.token = token
    self.text = text
  }

  var description: String { "\(kind.rawValue) \(token ?? "-"): \(text)" }
}
