/// What an account is set to that a person may change between runs, and set back: `m1 set NAME VALUE`.
///
/// Whatever they were meanwhile, all sides agree once they are as at first again.
struct Settings: Hashable {
  /// The only mailbox that is not mirrored; nil where all are.
  var excluded: String?
  /// On which sides mailboxes and folders are made.
  var creation = "both"
  /// Whether what is removed here goes for good.
  var isExpunging = false

  /// Takes a value; false where there is no such setting.
  mutating func set(_ name: String, _ value: String) -> Bool {
    switch name {
    case "exclude": excluded = value == Step.noLetters ? nil : Step.name(value)
    case "create": creation = value
    case "delete": isExpunging = value == "expunge"
    default: return false
    }
    return true
  }

  /// What a step sets that is chosen at random.
  static func choose(_ chance: inout Chance, _ boxes: [String], hasRenames: Bool) -> String {
    switch chance.one(["exclude", "exclude", "create", "delete"]) {
    case "exclude":
      let box = chance.happens(0.4) || boxes.isEmpty ? noBox : Step.word(chance.one(boxes))
      return "exclude \(box)"
    case "create":
      let ways = ["local", "both", "both"] + (hasRenames ? [] : ["none", "remote"])
      return "create \(chance.one(ways))"
    default: return "delete \(chance.one(["expunge", "trash"]))"
    }
  }

  private static let noBox = Step.noLetters

  /// Whether mailboxes or folders may be left out.
  var isPartial: Bool { excluded != nil || creation != "both" }

  /// Whether a folder is renamed as its mailbox is; where it is not it keeps its name for good, which is said once.
  var followsRenames: Bool { creation == "both" || creation == "local" }

  /// The lines of the configuration.
  var lines: [String] {
    (excluded.map { ["exclude = [\"\($0)\"]"] } ?? [])
      + (creation == "both" ? [] : ["create = \"\(creation)\""])
      + (isExpunging ? ["on-local-delete = \"expunge\""] : [])
  }
}
