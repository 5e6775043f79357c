import MemoryStore

/// What the judge knows of content that the server has and every machine knows of: it is never uploaded.
struct KnownContent {
  /// A message of the server.
  private struct Place: Hashable {
    let validity: UInt32
    let uid: UInt32
  }

  /// The messages that all sides had when they were last judged.
  private var settled: Set<Place> = []
  private var names = MailboxNames.plain

  /// Nothing is known yet.
  init() {}

  /// All that is on the server now.
  init(_ content: MemoryContent, _ names: MailboxNames) {
    self.names = names
    for mailbox in content.mailboxes.values {
      for uid in mailbox.messages.keys {
        settled.insert(Place(validity: mailbox.validity, uid: uid))
      }
    }
  }

  /// The mailbox that has a known message of these octets; nil where none has.
  func mailbox(holding octets: [UInt8], in content: MemoryContent) -> String? {
    let octets = Entry.withoutServerFields(octets)
    let place = content.mailboxes.sorted { $0.key < $1.key }.first { _, mailbox in
      mailbox.messages.contains { uid, message in
        settled.contains(Place(validity: mailbox.validity, uid: uid))
          && Entry.withoutServerFields(message.octets) == octets
      }
    }
    return place.map { names.plain($0.key) }
  }

  /// Judges after a run.
  static func check(_ end: RunEnd, _ world: World, _ machine: Machine) throws {
    let model = world.model
    // What is too old for a window is on no record of the machine, nor what the server changed.
    guard !model.isAmbiguous, !model.diskWasFull, !model.changesMessages, world.window == nil else {
      return
    }
    for (name, place) in end.uploads {
      guard let token = model.tokens[name], !token.isTainted, token.revision == 1,
        model.sideOnly[place] == nil, !isReupload(token, machine.name)
      else { continue }
      let text = "\(machine.name) uploads what the server has in \(place)\n\(end)"
      throw Failure(.uploaded, name, text + TokenVerdict(model, token, [:]).story)
    }
  }

  /// Whether a file is sent up again whose message another client removed while it was changed here (rule 6).
  private static func isReupload(_ token: Token, _ machine: String) -> Bool {
    token.instances.contains { instance in
      instance.sides.contains(machine)
        && !instance.sides(.expunge, .remove).subtracting([machine]).isEmpty
    }
  }
}
