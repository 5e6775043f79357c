import TestSupport
import Testing

/// The program killed at every point while it makes, renames and removes folders and mailboxes.
///
/// At most points the power goes with it. The commit decides which half of the scenes is tried with each server, and at
/// which points; MAGNUM_FAULT_STRIDE=1 in the environment tries all.
@Suite struct FolderFaultTests {
  /// What happened to folders since the last sync, and to mail in them.
  enum Scene: String, CaseIterable {
    case madeHere, madeThere, renamedHere, renamedThere, removedHere, removedThere
    case rotatedHere, rotatedThere, copiedHere, swappedThere

    /// What every run is told.
    var arguments: [String] {
      switch self {
      case .removedHere, .removedThere: ["--allow-mass-delete=test/Lists/swift"]
      default: []
      }
    }

    /// The sides that mailboxes are removed from.
    var remove: String {
      switch self {
      case .removedHere: "remote"
      case .removedThere: "local"
      default: "both"
      }
    }
  }

  @Test(arguments: [
    [], ["MOVE", "UIDPLUS", "CONDSTORE", "QRESYNC", "ESEARCH", "LIST-STATUS", "LIST-EXTENDED"],
  ])
  func everyKillIsSurvived(_ hidden: [String]) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    let proxy = hidden.isEmpty ? nil : try BendingProxy.silent(to: stage.server.ports.clear)
    let url = proxy.map { "imap+plain://127.0.0.1:\($0.port)" } ?? stage.server.clearURL
    try stage.configure(url: url)
    try prepare(stage)
    let matrix = try KillMatrix(stage, proxy: proxy)
    try matrix.world.save("base")
    for (number, scene) in Scene.allCases.enumerated() {
      // What one server does not see, the other does.
      let isChosen = (number + Turn.number) % 2 == (hidden.isEmpty ? 0 : 1)
      guard isChosen || Turn.givenStride != nil else { continue }
      try matrix.world.restore("base")
      try stage.configure(url: url, sync: "remove = \"\(scene.remove)\"")
      try act(scene, stage, RawIMAP(stage.server, user: stage.user))
      try matrix.run(
        KillMatrix.Scene(
          name: "\(scene.rawValue)\(hidden.isEmpty ? "" : ", plain server")",
          arguments: scene.arguments,
          facts: { try subscriptions(stage) }
        ),
        every: Turn.stride(80)
      )
    }
  }

  private func prepare(_ stage: Stage) throws {
    try stage.fill(inbox: 4, other: 3)
    for name in ["Trash", "Empty", "Archive/2024"] { try stage.imap.create(name) }
    try stage.imap.append(mail("child"), to: "Archive/2024", flags: "\\Flagged")
    for name in try stage.imap.mailboxes() { try stage.imap.command("SUBSCRIBE \"\(name)\"") }
    try stage.settle()
  }

  /// The mailboxes that are there and subscribed to.
  private func subscriptions(_ stage: Stage) throws -> [String] {
    let imap = try RawIMAP(stage.server, user: stage.user)
    let names = try imap.command("LSUB \"\" \"*\"").dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
    return try imap.mailboxes().filter { name in names.contains { $0.hasSuffix(" \(name)") } }
      .sorted()
  }

  private func act(_ scene: Scene, _ stage: Stage, _ imap: RawIMAP) throws {
    let archive = LocalFolder(stage.maildir, "Archive")
    switch scene {
    case .madeHere: try make(stage)
    case .madeThere:
      for name in ["New", "New/below", "Made empty"] { try imap.create(name) }
      try imap.append(mail("new"), to: "New/below", flags: "\\Seen")
    case .renamedHere:
      try archive.setFlags("FS", of: 0)
      try archive.add("added", mail("added"), flags: "S")
      try Command.shell("mv \"$1/Archive\" \"$1/Attic\"", [stage.maildir])
      try Command.shell("mv \"$1/Empty\" \"$1/Lists/emptied\"", [stage.maildir])
    case .renamedThere:
      try archive.setFlags("FS", of: 0)
      try archive.add("added", mail("added"), flags: "S")
      try imap.rename("Archive", to: "Attic")
      try imap.rename("Empty", to: "Lists/emptied")
    case .removedHere:
      try Command.shell("cd \"$1\" && rm -r Lists Empty", [stage.maildir])
    case .removedThere:
      try imap.delete("Lists/swift")
      try imap.delete("Empty")
    case .rotatedHere:
      try Command.shell("cd \"$1\"; mv Archive Attic; mv Empty Emptied", [stage.maildir])
      try archive.add("added", mail("added"), flags: "S")
      try LocalFolder(stage.maildir, "Empty").make()
    case .rotatedThere:
      for (old, new) in [("Archive", "Attic"), ("Empty", "Emptied")] {
        try imap.rename(old, to: new)
        try imap.create(old)
      }
      try imap.append(mail("added"), to: "Archive", flags: "\\Seen")
    case .copiedHere: try Command.shell("cp -r \"$1/Archive\" \"$1/Copy\"", [stage.maildir])
    case .swappedThere:
      for (old, new) in [("Lists/swift", "tmp"), ("Empty", "Lists/swift"), ("tmp", "Empty")] {
        try imap.rename(old, to: new)
      }
    }
  }

  /// New ones with mail in them, one below another; and mail that was moved there.
  private func make(_ stage: Stage) throws {
    let projects = LocalFolder(stage.maildir, "Projects")
    try projects.add("one", mail("one"), flags: "S")
    try projects.add("two", mail("two"), flags: "")
    try LocalFolder(stage.maildir, "Projects/deep down").make()
    try LocalFolder(stage.maildir, "INBOX").move(0, to: "Projects/deep down")
    try LocalFolder(stage.maildir, "Later").make()
  }
}
