import Configuration
import Platform

/// One machine: a home with a configuration and a Maildir.
final class Machine {
  let name: String
  let home: String
  let folders: Folders
  /// Whether the account has a size limit now.
  var isLimited: Bool
  /// Whether the account has a window now.
  var isWindowed: Bool
  /// What the account is set to for now.
  var settings = Settings()
  private let text: String
  private var configurations: [String: Configuration] = [:]
  /// The content that all sides had when they were last judged.
  var known = KnownContent()
  /// How its last run ended.
  var last = RunEnd(status: 0)
  /// What was wrong in any of its runs.
  private(set) var problems: Set<String> = []
  /// Since the last judgement.
  var wasKilled = false
  /// Which records were lost since all agreed.
  var lost: Set<String> = []
  /// No run need have read what is damaged.
  var isDamaged = false
  /// The files of which a run said that they are detached.
  var apart: Set<String> = []
  /// Base names of the files that the server accepted and another client removed there before they were looked for.
  var unfound: Set<String> = []

  private var root: String { folders.root }

  /// Where the account limits what it fetches in a day: the day, in days since 1970; every third run is on a new one.
  var day = firstDay
  static let firstDay: Int64 = 20_000
  private var runs = 0
  /// The time of its last run, in seconds since 1970.
  private(set) var now: Int64 = 1_700_000_000

  init(_ name: String, in folder: String, _ ways: AccountWays, _ account: String) throws {
    self.name = name
    home = "\(folder)/\(name)"
    folders = Folders(root: "\(home)/Mail")
    try Disk.make(home)
    text = """
      [account.a]
      maildir = "\(home)/Mail"
      \(account)
      index = false

      [account.a.sync]
      on-remote-delete = "\(ways.isKeeping ? "keep" : "follow")"
      remove = "\(ways.removal)"
      \(ways.isDaily ? "daily-limit = \"1kB\"" : "")
      \(ways.isParted ? "on-local-delete = \"expunge\"\nexpunge = \"all\"" : "")

      """
    isLimited = ways.isParted
    isWindowed = ways.isWindowed
  }

  /// The configuration of a run.
  func text(for order: RunOrder) -> String {
    let lines =
      (isLimited ? ["size-limit = \"100kB\""] : [])
      + (isWindowed ? ["window = \"\(Window.days)d\""] : [])
      + (order.way == .push ? ["direction = \"push\""] : []) + settings.lines
    return text + lines.joined(separator: "\n") + "\n"
  }

  /// What the account is set to for a run of the engine.
  func configuration(for order: RunOrder) throws -> Configuration {
    let text = text(for: order)
    if let known = configurations[text] { return known }
    let path = "\(home)/config\(configurations.count).toml"
    try Disk.write(Array(text.utf8), to: path)
    let made = try Configuration.load(explicit: Path(path))
    configurations[text] = made
    return made
  }

  /// Runs the program once.
  func run(_ world: World, _ order: RunOrder) throws -> RunEnd {
    runs += 1
    if runs.isMultiple(of: 3) { day += 1 }
    now += order.isSoon ? 10 : 100
    noteUnknownFolders(world)
    let fixed = FixedSide(world, self, order)
    last = try world.server.run(self, order, in: world)
    problems.formUnion(last.problems)
    wasKilled = wasKilled || order.isCut
    apart.formUnion(last.detached)
    try fixed?.check(world, self, last)
    try KnownContent.check(last, world, self)
    try world.window?.ran(world, self)
    try world.keeping?.check(world, self, last)
    try world.parts?.check(world, self, last)
    return last
  }

  /// Where all records were lost, nothing tells of a folder that was synced where the mailbox went that has its name no more.
  private func noteUnknownFolders(_ world: World) {
    guard lost.contains("all") || lost.isSuperset(of: ["maps", "summary"]) else { return }
    let boxes = Set(world.mailboxes)
    for box in folders.names where !boxes.contains(box) && folders.isMarked(box) {
      world.model.sideOnly[box] = [name]
    }
    // Nor does anything tell what was another name of a mailbox.
    for box in folders.doubled {
      world.model.odd.insert(Folders.mark + box)
      world.model.sideOnly[box] = [name]
    }
  }

  // MARK: The program's own records

  /// A backup of the Maildir with the state in it.
  func save(_ name: String) throws {
    let target = "\(home)/backup-\(name)"
    Disk.removeTree(target)
    try Disk.copyTree(root, to: target)
  }

  func putBack(_ name: String, _ what: String) throws -> Bool {
    let source = "\(home)/backup-\(name)"
    guard Disk.isDirectory(source) else { return false }
    if what.hasPrefix("map:") { return try putBackMap(source, String(what.dropFirst(4))) }
    if what == "files" {
      for folder in Disk.names(root) where folder != ".magnum" {
        Disk.removeTree("\(root)/\(folder)")
      }
      for folder in Disk.names(source) where folder != ".magnum" {
        try Disk.copyTree("\(source)/\(folder)", to: "\(root)/\(folder)")
      }
      return true
    }
    if what == "state" {
      guard Disk.isDirectory("\(source)/.magnum") else { return false }
      Disk.removeTree("\(root)/.magnum")
      try Disk.copyTree("\(source)/.magnum", to: "\(root)/.magnum")
    } else {
      Disk.removeTree(root)
      try Disk.copyTree(source, to: root)
    }
    return true
  }

  /// The records of one folder, as when a run is killed between the logs of two folders.
  private func putBackMap(_ source: String, _ box: String) throws -> Bool {
    guard let marker = Disk.read("\(folders.path(box))/.magnum-id") else { return false }
    let text = String(decoding: marker, as: UTF8.self)
    guard let identifier = text.split(whereSeparator: \.isWhitespace).first else { return false }
    let (here, there) = ("\(root)/.magnum/mailboxes", "\(source)/.magnum/mailboxes")
    for name in Disk.names(here) where name.hasPrefix(identifier) {
      try Disk.remove("\(here)/\(name)")
    }
    for name in Disk.names(there) where name.hasPrefix(identifier) {
      try Disk.copyFile("\(there)/\(name)", to: "\(here)/\(name)")
    }
    try Disk.copyFile("\(source)/.magnum/summary", to: "\(root)/.magnum/summary")
    return true
  }

  func lose(_ what: String) -> Bool {
    lost.insert(what)
    switch what {
    case "all":
      Disk.removeTree("\(root)/.magnum")
      Disk.removeTree("\(home)/state")
      // They are of a Maildir that no run knows any more: one that is put back is refused.
      for name in Disk.names(home) where name.hasPrefix("backup-") {
        Disk.removeTree("\(home)/\(name)")
      }
    case "maps":
      let maps = "\(root)/.magnum/mailboxes"
      for name in Disk.names(maps) { try? Disk.remove("\(maps)/\(name)") }
    default: try? Disk.remove("\(root)/.magnum/summary")
    }
    return true
  }

  /// One octet of one of the maps and logs is another one.
  func flip(_ number: Int) throws -> Bool {
    let maps = "\(root)/.magnum/mailboxes"
    let names = Disk.names(maps).filter { Disk.size("\(maps)/\($0)") > 0 }
    guard !names.isEmpty else { return false }
    let path = "\(maps)/\(names[number % names.count])"
    guard var octets = Disk.read(path) else { return false }
    isDamaged = true
    octets[number * 7919 % octets.count] ^= 1 << UInt8(number % 7)
    try Disk.write(octets, to: path)
    return true
  }
}
