import MemoryStore

/// What people and their programs do on a machine.
///
/// A step that names what is gone does nothing.
struct HereSteps {
  let world: World
  let machine: Machine
  private var model: Model { world.model }
  private var folders: Folders { machine.folders }

  init(_ world: World, _ machine: Machine) {
    self.world = world
    self.machine = machine
  }

  func perform(_ verb: String, _ words: [String]) throws -> Bool {
    switch (verb, words.count) {
    case ("new", 4): try new(words[0], words[1], words[2], words[3])
    case ("flag", 3): try flag(words[0], words[1], words[2])
    case ("move", 3): try move(words[0], words[1], words[2], isMutt: false)
    case ("mutt", 3): try move(words[0], words[1], words[2], isMutt: true)
    case ("copy", 4): try copy(words[0], words[1], words[2], words[3])
    case ("remove", 2): try remove(words[0], words[1])
    case ("edit", 3): try edit(words[0], words[1], words[2])
    case ("mkdir", 1): try mkdir(words[0])
    case ("rmfolder", 1): removeFolder(words[0])
    case ("rename", 2): try rename(words[0], words[1], isRotation: false)
    case ("rotate", 2): try rename(words[0], words[1], isRotation: true)
    case ("cpfolder", 2): try copyFolder(words[0], words[1])
    case ("guard", 2): try accident(words[0], words[1])
    case ("odd", 2): try odd(words[0], words[1])
    case ("save", 1): try save(words[0])
    case ("putback", 2): try putBack(words[0], words[1])
    case ("lose", 1): lose(words[0])
    case ("flip", 1): try flip(words[0])
    default: throw BadStep(line: "\(machine.name) \(verb) \(words)")
    }
  }

  // MARK: Messages

  private func new(_ token: String, _ box: String, _ letters: String, _ kind: String) throws -> Bool
  {
    let letters = letters == Step.noLetters ? "" : letters
    guard model.tokens[token] == nil, model.sideOnly[box] == nil, folders.isFolder(box) else {
      return false
    }
    let octets = JudgeMessage.file(token, 1, kind)
    try folders.deliver(octets, box, letters, world.freshBase(), at: world.ownMoment(kind))
    model.new(token, kind, machine.name, box, letters)
    return true
  }

  private func flag(_ token: String, _ box: String, _ change: String) throws -> Bool {
    guard let file = folders.files(token, box).first, let letter = change.last else { return false }
    var letters = Set(file.letters)
    let isAdded = change.hasPrefix("+")
    guard isAdded != letters.contains(letter) else { return false }
    if isAdded { letters.insert(letter) } else { letters.remove(letter) }
    try folders.setLetters(file, letters)
    model.event(token, .flag, machine.name, box, nil, change)
    return true
  }

  private func move(_ token: String, _ box: String, _ to: String, isMutt: Bool) throws -> Bool {
    guard let file = folders.files(token, box).first, box != to, model.sideOnly[to] == nil else {
      return false
    }
    // A copy under the name of a file that went with its message: it looks as if an older copy of the folder were put back.
    let isBack = model.tokens[token]?.wasRemoved(from: to) ?? false
    if !isMutt, isBack { model.isAmbiguous = true }
    try folders.move(file, to: to, base: isMutt ? world.freshBase() : nil)
    model.event(token, isMutt ? .mutt : .move, machine.name, box, to)
    return true
  }

  private func copy(_ token: String, _ box: String, _ to: String, _ how: String) throws -> Bool {
    guard let file = folders.files(token, box).first, model.sideOnly[to] == nil else {
      return false
    }
    // A copy of what is marked as deleted is to go, too.
    guard !file.allLetters.contains("T") else { return false }
    let base = how == "same" ? file.base : world.freshBase()
    try folders.copy(file, to: to, base: base, at: world.ownMoment(model.tokens[token]?.kind ?? ""))
    model.copy(token, machine.name, box, to, Set(file.letters), [], how)
    return true
  }

  private func remove(_ token: String, _ box: String) throws -> Bool {
    guard let file = folders.files(token, box).first else { return false }
    try Disk.remove(file.path)
    model.event(token, .remove, machine.name, box)
    return true
  }

  private func edit(_ token: String, _ box: String, _ how: String) throws -> Bool {
    guard let file = folders.files(token, box).first, let known = model.tokens[token],
      known.instances.count == 1
    else { return false }
    let octets = JudgeMessage.file(token, known.revision + 1, known.kind)
    try folders.edit(file, octets, how: how, base: world.freshBase(), at: world.moment)
    model.event(token, .edit, machine.name, box, nil, how)
    return true
  }

  // MARK: Folders

  private func mkdir(_ box: String) throws -> Bool {
    guard !folders.isFolder(box) else { return false }
    try folders.make(box)
    // Below a folder whose mailbox was renamed elsewhere, and nothing tells that it is the same.
    let isLeft = model.sideOnly.contains { left, sides in
      box.hasPrefix(left + "/") && sides == [machine.name]
    }
    if isLeft { model.sideOnly[box] = [machine.name] }
    return true
  }

  /// A folder removed with the mail and the folders in it: the mailboxes stay, with words.
  private func removeFolder(_ box: String) -> Bool {
    let inner = folders.names.filter { ($0 + "/").hasPrefix(box + "/") }
    guard !inner.isEmpty, folders.takesAlong(box) else { return false }
    for file in folders.files(inner) {
      let token = file.read().flatMap(JudgeMessage.identify)?.token
      if model.removesThere {
        model.give(token, in: file.box, machine.name)
      } else {
        model.taint(token)
      }
    }
    Disk.removeTree(folders.path(box))
    for folder in inner {
      for name in model.names(folder) {
        model.sideOnly[name] = Set(model.sides).subtracting(
          [machine.name] + (model.removesThere ? [Model.server] : [])
        )
      }
    }
    return true
  }

  private func rename(_ box: String, _ to: String, isRotation: Bool) throws -> Bool {
    guard folders.isFolder(box), !Disk.exists(folders.path(to)), folders.takesAlong(box) else {
      return false
    }
    try Disk.make(Disk.parent(folders.path(to)))
    try Disk.rename(folders.path(box), to: folders.path(to))
    model.noteRename(of: box, to)
    let others = Set(world.machines.map(\.name)).subtracting([machine.name])
    let everywhere =
      world.machines.flatMap { $0.folders.names } + world.mailboxes
    model.forgetIdentity(box, others, besides: everywhere, isKept: world.keepsIdentity)
    for (left, sides) in model.sideOnly where left.hasPrefix(box + "/") {
      model.sideOnly[to + left.dropFirst(box.count)] = sides
    }
    guard isRotation else { return true }
    try folders.make(box)
    if model.isInRun { model.rotatedInRun.formUnion(model.names(box)) }
    return true
  }

  /// A folder copied with all that is in it but other folders, its ownership marker too.
  private func copyFolder(_ box: String, _ to: String) throws -> Bool {
    guard folders.isFolder(box), !Disk.exists(folders.path(to)) else { return false }
    let found = folders.files([box])
    try Disk.copyTree(folders.path(box), to: folders.path(to)) { Disk.isDirectory("\($0)/cur") }
    for file in found {
      guard let (token, _) = file.read().flatMap(JudgeMessage.identify) else { continue }
      model.copy(token, machine.name, box, to, Set(file.letters), [], "same")
    }
    model.odd.insert(to)
    return true
  }

  /// All of at least three messages are removed by accident: the run that follows may not carry it to the other side.
  private func accident(_ box: String, _ where: String) throws -> Bool {
    let isThere = `where` == "there"
    var settled = Set(
      model.tokens.values.filter { token in
        token.instances.count == 1 && !token.isTainted && token.instances[0].base == box
          && token.instances[0].events.isEmpty
      }.map(\.name)
    )
    settled.formIntersection(tokensHere(box))
    settled.formIntersection(tokensThere(box))
    guard settled.count >= 3, box != "Trash", box != "Junk", model.sideOnly[box] == nil,
      !model.isAmbiguous, model.renames.isEmpty
    else { return false }
    if isThere {
      _ = ThereSteps(world).empty(box)
    } else {
      for file in folders.files([box]) {
        let token = file.read().flatMap(JudgeMessage.identify)?.token
        try Disk.remove(file.path)
        if let token { model.event(token, .remove, machine.name, box) }
      }
    }
    model.ran()
    let end = try machine.run(world, RunOrder())
    let gone = settled.subtracting(isThere ? tokensHere(box) : tokensThere(box))
    guard gone.isEmpty else {
      throw Failure(
        .guardLet,
        nil,
        "\(gone.count) of \(settled.count) settled messages of \(box) were removed at once: "
          + gone.sorted().joined(separator: " ") + "\n\(end)"
      )
    }
    return true
  }

  private func tokensHere(_ box: String) -> Set<String> {
    Set(folders.files([box]).compactMap { $0.read().flatMap(JudgeMessage.identify)?.token })
  }

  private func tokensThere(_ box: String) -> Set<String> {
    Set(world.messages(box).compactMap { JudgeMessage.identify($0.message.octets)?.token })
  }

  /// A folder with an unusual name and a message in it: mirrored, or reported in every run.
  private func odd(_ box: String, _ token: String) throws -> Bool {
    guard model.tokens[token] == nil, !Disk.exists(folders.path(box)) else { return false }
    try folders.make(box)
    try folders.deliver(JudgeMessage.file(token, 1, "plain"), box, "S", world.freshBase())
    model.new(token, "plain", machine.name, box, "S")
    model.odd.insert(box)
    // What other machines call it.
    model.odd.insert(box.reduce(into: "") { $0 += $1 == "%" ? "%25" : String($1) })
    return true
  }

  // MARK: Records

  private func save(_ name: String) throws -> Bool {
    // What no run has seen is no Maildir of the account: put back, it is refused.
    guard Disk.isDirectory("\(folders.root)/.magnum") else { return false }
    try machine.save(name)
    model.saved(machine.name)
    return true
  }

  private func putBack(_ name: String, _ what: String) throws -> Bool {
    guard try machine.putBack(name, what) else { return false }
    model.isAmbiguous = true
    model.wereRecordsLost = true
    switch what {
    case "all", "files": model.forgetLocal(machine.name, hasRecords: what == "files")
    default: model.forgetRecords(machine.name)
    }
    return true
  }

  private func lose(_ what: String) -> Bool {
    model.isAmbiguous = true
    model.wereRecordsLost = true
    return machine.lose(what)
  }

  private func flip(_ number: String) throws -> Bool {
    model.isAmbiguous = true
    model.wereRecordsLost = true
    return try machine.flip(Int(number) ?? 0)
  }
}
