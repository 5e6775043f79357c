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
  /// Whether it fetches little in a day.
  var isDaily = false
  /// The only mailbox whose folder has another name; nil where none has.
  var mapped: String?
  /// Whether names of folders have the prefix of the server's names; nil where the configuration never said.
  var namespace: String?

  /// Takes a value; false where there is no such setting.
  mutating func set(_ name: String, _ value: String) -> Bool {
    switch name {
    case "exclude": excluded = Self.mailbox(value)
    case "create": creation = value
    case "delete": isExpunging = value == "expunge"
    case "daily": isDaily = value == "on"
    case "folder": mapped = Self.mailbox(value)
    case "namespace": namespace = value
    default: return false
    }
    return true
  }

  private static func mailbox(_ value: String) -> String? {
    value == Step.noLetters ? nil : Step.name(value)
  }

  /// The settings that an account has at first, after a person changed them.
  var restored: Settings {
    var settings = Settings()
    if namespace != nil { settings.namespace = "hide" }
    return settings
  }

  /// What a step sets that is chosen at random.
  static func choose(_ chance: inout Chance, _ boxes: [String], _ world: World) -> String {
    var names = ["exclude", "exclude", "create", "delete", "daily", "folder", "folder"]
    if world.ways.isBelowInbox { names += ["namespace", "namespace", "namespace"] }
    switch chance.one(names) {
    case "exclude": return "exclude \(one(of: boxes, &chance))"
    case "create":
      let hasRenames = !world.model.renames.isEmpty
      let ways = ["local", "both", "both"] + (hasRenames ? [] : ["none", "remote"])
      return "create \(chance.one(ways))"
    case "daily": return "daily \(chance.one(["on", "off"]))"
    case "folder": return "folder \(one(of: boxes.filter { $0 != "INBOX" }, &chance))"
    case "namespace": return "namespace \(chance.one(["keep", "keep", "hide"]))"
    default: return "delete \(chance.one(["expunge", "trash"]))"
    }
  }

  private static func one(of boxes: [String], _ chance: inout Chance) -> String {
    chance.happens(0.4) || boxes.isEmpty ? Step.noLetters : Step.word(chance.one(boxes))
  }

  /// Whether mailboxes or folders may be left out.
  var isPartial: Bool { excluded != nil || creation != "both" }

  /// Whether a folder is renamed as its mailbox is; where it is not it keeps its name for good, which is said once.
  var followsRenames: Bool { creation == "both" || creation == "local" }

  /// The lines of the configuration.
  var lines: [String] {
    var lines: [String] = []
    if let excluded { lines.append("exclude = [\"\(excluded)\"]") }
    if creation != "both" { lines.append("create = \"\(creation)\"") }
    if isExpunging { lines.append("on-local-delete = \"expunge\"") }
    if isDaily { lines.append("daily-limit = \"1kB\"") }
    if let mapped { lines.append("folders = { \"\(mapped)\" = \"\(Folders.mark)\(mapped)\" }") }
    if let namespace { lines.append("namespace = \"\(namespace)\"") }
    return lines
  }
}
