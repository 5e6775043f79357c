import MemoryStore

/// What another client does on the server.
///
/// A step that names what is gone does nothing.
struct ThereSteps {
  let world: World
  private var model: Model { world.model }
  private var server: any ServerSide { world.server }

  init(_ world: World) { self.world = world }

  func perform(_ verb: String, _ words: [String]) throws -> Bool {
    switch (verb, words.count) {
    case ("append", 4): try append(words[0], words[1], words[2], words[3])
    case ("move", 3): move(words[0], words[1], words[2], isByCopy: false)
    case ("copymove", 3): move(words[0], words[1], words[2], isByCopy: true)
    case ("copy", 3): copy(words[0], words[1], words[2])
    case ("flag", 3): flag(words[0], words[1], words[2], .flag)
    case ("keyword", 3): flag(words[0], words[1], words[2], .keyword)
    case ("expunge", 2): expunge(words[0], words[1])
    case ("mark", 2): mark(words[0], words[1])
    case ("empty", 1): empty(words[0])
    case ("create", 1): server.create(words[0])
    case ("delete", 1): delete(words[0])
    case ("rename", 2): rename(words[0], words[1], isRotation: false)
    case ("rotate", 2): rename(words[0], words[1], isRotation: true)
    case ("validity", 1): renumber(words[0])
    default: throw BadStep(line: "server \(verb) \(words)")
    }
  }

  private func append(_ token: String, _ box: String, _ letters: String, _ kind: String) throws
    -> Bool
  {
    let letters = letters == Step.noLetters ? "" : letters
    guard model.tokens[token] == nil, model.sideOnly[box] == nil else { return false }
    let flags = Set(letters.compactMap { MemoryMailbox.Message.names[$0] })
    var date = world.window == nil ? 1_736_164_800 : Window.date(kind)
    // What has all headers of another message came at another time, or nothing but its text tells it from that.
    if JudgeMessage.isTwin(kind) { date += Int64(number(of: token)) }
    let octets = JudgeMessage.wire(token, 1, kind)
    guard server.append(octets, flags, date: date, to: box) else { return false }
    model.new(token, kind, Model.server, box, letters)
    return true
  }

  private func move(_ token: String, _ box: String, _ to: String, isByCopy: Bool) -> Bool {
    guard box != to, let found = world.find(token, box) else { return false }
    switch server.move(found.uid, from: box, to: to, isByCopy: isByCopy) {
    case .refused: return false
    case .moved: model.event(token, .move, Model.server, box, to)
    case .copied:
      model.copy(token, Model.server, box, to, found.message.shown, found.message.keywords)
      model.tokens[token]?.isTainted = true
    }
    noteMark(token, found.message)
    return true
  }

  /// Rule 13: what is copied or moved with its mark may go for good where it comes to.
  private func noteMark(_ token: String, _ message: MemoryMailbox.Message) {
    guard message.isMarked, let known = model.tokens[token] else { return }
    known.isTainted = true
    known.mayBeGone = true
  }

  private func copy(_ token: String, _ box: String, _ to: String) -> Bool {
    guard let found = world.find(token, box) else { return false }
    guard server.copy(found.uid, from: box, to: to) else { return false }
    model.copy(token, Model.server, box, to, found.message.shown, found.message.keywords)
    noteMark(token, found.message)
    return true
  }

  private func flag(_ token: String, _ box: String, _ change: String, _ kind: Event.Kind) -> Bool {
    guard let found = world.find(token, box), let letter = change.last else { return false }
    let isAdded = change.hasPrefix("+")
    let word = String(change.dropFirst())
    let name = kind == .flag ? MemoryMailbox.Message.names[letter] ?? "" : word
    guard isAdded != found.message.flags.contains(name) else { return false }
    let wanted = FlagChange(name: name, isAdded: isAdded)
    guard server.change(found.uid, in: box, wanted) else { return false }
    model.event(token, kind, Model.server, box, nil, change)
    return true
  }

  private func expunge(_ token: String, _ box: String) -> Bool {
    guard let found = world.find(token, box), server.expunge([found.uid], in: box) else {
      return false
    }
    model.event(token, .expunge, Model.server, box)
    return true
  }

  /// Marks a message as deleted, and does not expunge it.
  private func mark(_ token: String, _ box: String) -> Bool {
    let mark = FlagChange(name: "\\Deleted", isAdded: true)
    guard let found = world.find(token, box), !found.message.isMarked,
      server.change(found.uid, in: box, mark)
    else { return false }
    guard let known = model.tokens[token] else { return true }
    known.isTainted = true
    known.mayBeGone = true
    return true
  }

  /// A mailbox emptied by its server, as Trash is after some weeks.
  func empty(_ box: String) -> Bool {
    let found = world.messages(box)
    guard !found.isEmpty, server.expunge(found.map(\.uid), in: box) else { return false }
    for (_, message) in found {
      guard let (token, _) = JudgeMessage.identify(message.octets) else { continue }
      model.event(token, .expunge, Model.server, box)
    }
    return true
  }

  private func rename(_ box: String, _ to: String, isRotation: Bool) -> Bool {
    guard server.rename(box, to: to) else { return false }
    model.noteRename(of: box, to)
    model.forgetIdentity(
      box,
      Set(world.machines.map(\.name)),
      besides: world.mailboxes,
      isKept: world.keepsIdentity
    )
    if isRotation { _ = server.create(box) }
    return true
  }

  /// A mailbox deleted with the mail in it: its folders stay on the machines, with words.
  private func delete(_ box: String) -> Bool {
    let found = world.messages(box)
    guard server.delete(box) else { return false }
    for name in model.names(box) { model.sideOnly[name] = Set(world.machines.map(\.name)) }
    for (_, message) in found {
      let token = JudgeMessage.identify(message.octets)?.token
      if model.removesHere { model.give(token, in: box, Model.server) } else { model.taint(token) }
    }
    return true
  }

  /// The server loses its list of UIDs: it gives all messages new ones, and the mailbox another UIDVALIDITY.
  private func renumber(_ box: String) -> Bool {
    guard server.renumber(box) else { return false }
    model.isAmbiguous = true
    model.renumbered.insert(box)
    let isRenamed = model.renames.contains { rename in
      [rename.old, rename.new].contains { box == $0 || box.hasPrefix($0 + "/") }
    }
    if isRenamed {
      for name in model.names(box) { model.sideOnly[name] = Set(world.machines.map(\.name)) }
    }
    return true
  }
}

extension Model {
  /// Its mailbox or folder was removed with it in it, and so may the other side's be: it is kept only where another side
  /// has put it elsewhere, and this one has not moved it: of two moves either may have been carried to the other side.
  func give(_ name: String?, in box: String, _ side: String) {
    guard let name, let token = tokens[name] else { return }
    token.isTainted = true
    let isElsewhere = token.instances.contains { instance in
      sides.contains { other in
        guard let place = instance.place(on: other), other != side else { return false }
        let isPut = instance.placingSides.contains(other) || instance.born?.side == other
        let isMoved = instance.placingSides.contains(side)
        return isPut && !isMoved && !names(box).contains(place) && sideOnly[place] == nil
      }
    }
    if !isElsewhere { token.mayBeGone = true }
  }

  /// Its folder or mailbox went with it in it: only where it was settled it has to be somewhere.
  func taint(_ name: String?) {
    guard let name, let token = tokens[name] else { return }
    token.isTainted = true
    if token.instances.contains(where: { $0.base == nil || !$0.events.isEmpty }) {
      token.mayBeGone = true
    }
  }
}
