/// A line that is no step.
struct BadStep: Error {
  let line: String
}

/// The steps of a scene; one that names what is gone does nothing, so that any part of a scene is a scene.
///
///     server append TOKEN MAILBOX LETTERS KIND      server move|copymove|copy TOKEN MAILBOX TO
///     server flag|keyword TOKEN MAILBOX +X          server expunge|mark TOKEN MAILBOX     server empty MAILBOX
///     server create|delete MAILBOX                  server rename|rotate MAILBOX NEW      server validity MAILBOX
///     m1 new TOKEN FOLDER LETTERS KIND              m1 flag TOKEN FOLDER +X               m1 remove TOKEN FOLDER
///     m1 move TOKEN FOLDER TO                       m1 mutt TOKEN FOLDER TO               m1 copy TOKEN FOLDER TO same|new
///     m1 edit TOKEN FOLDER inplace|replace|new      m1 mkdir|rmfolder FOLDER              m1 rename|rotate|cpfolder FOLDER NEW
///     m1 guard FOLDER there|here      everything in it is removed by accident, then a run: the deletion guard has to hold
///     m1 serve FOLDER                 a server on the machine shows the folder, which makes its own files in it
///     m1 iappend TOKEN FOLDER LETTERS KIND        m1 imove|icopy TOKEN FOLDER TO          what its clients have it do
///     m1 ifix TOKEN FOLDER            a file gets its sizes into its name, or a mark of another program
///     m1 letter TOKEN FOLDER +a       a keyword of that server
///     m1 limit on|off                 the account has a size limit, or none
///     m1 window on|off                the account mirrors the last days alone, or all
///     m1 set exclude BOX|-            the account leaves out a mailbox, or none
///     m1 set create none|local|remote|both        where mailboxes are made
///     m1 set delete expunge|trash     what is removed goes for good, or to Trash
///     m1 set daily on|off             the account fetches little in a day
///     m1 set folder BOX|-             the folder of a mailbox has another name
///     m1 set namespace keep|hide      names of folders have the prefix of the server's names, or not
///     m1 odd FOLDER TOKEN             a folder with an unusual name and a message in it
///     m1 save NAME    m1 putback NAME state|files|all|map:FOLDER     m1 lose maps|summary|all        m1 flip NUMBER
///     m1 sync [fault=N] [error=N:ENOSPC] [kill=N] [term=N] [cut=N] [cutafter=N] [scan] [soon|quiet] [pull|push] [only=BOX]
///             [patient] [| N STEP]... [| @N STEP]...    before the Nth request, before the Nth read of a directory
///     m1 watch term|kill=N [fault=N] [error=N:ENOSPC] [| N STEP]...
///             a magnum watch is up meanwhile and ends by that signal so long after the last step; steps may be runs
///     wait            judge
///
/// Numbers behind kill, term and cut, and before the steps in the midst of a run, are those of requests to a server in memory.
/// With a real server they are milliseconds, those behind cut octets; a patient run connects again by itself. Spaces in names
/// are written as "_", tabs as "^I"; letters are "-" for none.
enum Step {
  static let noLetters = "-"

  /// Carries out a step; tells whether it did anything.
  static func perform(_ line: String, _ world: World) throws -> Bool {
    let words = line.split(separator: " ").map { "\($0)" }
    guard words.count > 1 else { return false }
    let arguments = words.dropFirst(2).map(name)
    if let window = world.window, !isRun(words[1]) {
      return try window.watch(words[0], world) { try perform(line, words, arguments, world) }
    }
    if let parts = world.parts, !isRun(words[1]) {
      return try parts.watch([words[0], words[1]] + arguments, world) {
        try perform(line, words, arguments, world)
      }
    }
    if let labelling = world.labelling, !isRun(words[1]) {
      return try labelling.watch([words[0], words[1]] + arguments, world) {
        try perform(line, words, arguments, world)
      }
    }
    guard let keeping = world.keeping, words[1] != "sync" else {
      return try perform(line, words, arguments, world)
    }
    return try keeping.watch([words[0], words[1]] + arguments, world) {
      try perform(line, words, arguments, world)
    }
  }

  private static func perform(
    _ line: String,
    _ words: [String],
    _ arguments: [String],
    _ world: World
  ) throws -> Bool {
    if words[0] == Model.server {
      return try ThereSteps(world).perform(words[1], arguments)
    }
    guard let machine = world.machine(words[0]) else { return false }
    if isRun(words[1]) {
      try sync(line, machine, world)
      return true
    }
    if words[1] == "limit", words.count == 3 {
      machine.isLimited = words[2] == "on"
      return true
    }
    if words[1] == "set", words.count == 4 {
      return machine.settings.set(words[2], words[3])
    }
    if words[1] == "window", words.count == 3 {
      machine.isWindowed = words[2] == "on"
      return true
    }
    do {
      if ServedSteps.verbs.contains(words[1]) {
        return try ServedSteps(world, machine).perform(words[1], arguments)
      }
      return try HereSteps(world, machine).perform(words[1], arguments)
    } catch is Disk.Refused {
      return false
    }
  }

  /// Whether a verb stands for runs: what they do is no step.
  private static func isRun(_ verb: String) -> Bool { verb == "sync" || verb == "watch" }

  private static func sync(_ line: String, _ machine: Machine, _ world: World) throws {
    var parts = line.split(separator: "|").map { $0.trimming(" ") }
    let head = parts.removeFirst().split(separator: " ").map { "\($0)" }
    var order = try RunOrder(Array(head.dropFirst(2)), races: parts)
    order.isWatch = head[1] == "watch"
    world.model.ran()
    if order.error != nil { world.model.diskWasFull = true }
    if order.isCut { world.model.wasCut = true }
    if order.only != nil || machine.settings.isPartial { world.model.wasPartial = true }
    if machine.settings.excluded != nil { world.model.wasExcluding = true }
    if machine.settings.isExpunging { world.model.wasExpunging = true }
    if order.way != .both { world.model.wasOneWay = true }
    let end = try machine.run(world, order)
    world.tell("\(machine.name) \(line)\n\(end)")
  }

  /// Spaces in names are written as "_", tabs as "^I", so that a line splits at its spaces.
  static func name(_ word: String) -> String {
    word.replacing("^I", with: "\t").replacing("_", with: " ")
  }

  static func word(_ name: String) -> String {
    name.replacing("\t", with: "^I").replacing(" ", with: "_")
  }
}

extension StringProtocol {
  /// The text without these characters at either end.
  fileprivate func trimming(_ character: Character) -> String {
    let head = drop { $0 == character }
    guard let last = head.lastIndex(where: { $0 != character }) else { return "" }
    return String(head[...last])
  }
}
