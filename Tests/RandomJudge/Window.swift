import Glibc

/// What the judge knows of accounts with a window, which is switched: what a machine once had stays there, however old it is, and
/// wherever other clients move it.
final class Window {
  /// How long the window is.
  static let days = 90
  /// What the kinds of messages begin with that came to the server before it.
  static let mark = "old-"
  private static let secondsOfDay: Int64 = 86_400

  /// The INTERNALDATE of a message of a kind.
  static func date(_ kind: String) -> Int64 {
    let today = Int64(time(nil)) / secondsOfDay * secondsOfDay
    return kind.hasPrefix(mark) ? today - 1000 * secondsOfDay : today
  }

  /// The messages that each machine has, by its name, and that were not taken from it there.
  private var held: [String: Set<String>] = [:]
  private var closed: [String] = []

  // MARK: Steps

  /// Has a step done, and looks at what it changes.
  func watch(_ side: String, _ world: World, _ step: () throws -> Bool) throws -> Bool {
    guard let machine = world.machine(side) else { return try step() }
    let before = Self.tokens(machine)
    let isDone = try step()
    let after = Self.tokens(machine)
    held[side, default: []].subtract(before.subtracting(after))
    held[side, default: []].formUnion(after)
    return isDone
  }

  /// After each run, also one that was killed.
  func ran(_ world: World, _ machine: Machine) throws {
    held[machine.name, default: []].formUnion(Self.tokens(machine))
  }

  // MARK: Judgement

  /// Judges when runs change nothing any more, before the windows are opened.
  func judge(_ sides: Sides, _ world: World) throws {
    let there = sides.entries[Model.server] ?? []
    for machine in world.machines where machine.isWindowed {
      let here = Set((sides.entries[machine.name] ?? []).compactMap(\.token))
      for entry in there {
        guard let name = entry.token, let token = world.model.tokens[name], !token.isTainted,
          token.instances.count == 1, token.instances[0].sides(.expunge, .remove).isEmpty,
          world.model.sideOnly[entry.box] == nil,
          !world.model.odd.contains(entry.box), !here.contains(name)
        else { continue }
        let isOld = token.kind.hasPrefix(Self.mark)
        guard !isOld || held[machine.name]?.contains(name) ?? false else { continue }
        // Nothing tells that a copy without a Message-ID, which the server changed, is what another client moved.
        if isOld, world.model.changesMessages, JudgeMessage.isNameless(token.kind) { continue }
        // Nor does anything tell that what a run copied before it was killed was moved, once the next one has removed the rest.
        if isOld, world.model.wasCut, !world.model.hasMove, !token.instances[0].placing.isEmpty {
          continue
        }
        let text = isOld ? "is here no more, and stands in" : "is not here, but new in"
        throw Failure(
          .disagree,
          name,
          "on \(machine.name) \(text) \(entry): \(token.instances[0].events)"
        )
      }
    }
    held = [:]
  }

  /// Has a machine mirror all messages, until the windows are closed again.
  func open(_ machine: Machine) throws {
    guard machine.isWindowed else { return }
    machine.isWindowed = false
    closed.append(machine.name)
  }

  /// After the judgement.
  func close(_ world: World) {
    for machine in world.machines where closed.contains(machine.name) { machine.isWindowed = true }
    closed = []
    for machine in world.machines { held[machine.name] = Self.tokens(machine) }
  }

  private static func tokens(_ machine: Machine) -> Set<String> {
    let files = machine.folders.files(machine.folders.names)
    return Set(files.compactMap { $0.read().flatMap(JudgeMessage.identify)?.token })
  }
}
