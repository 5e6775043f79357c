internal import MailModel
internal import Octets
internal import SpoolPlan

/// The journal as text: an act is a line `act`, a line for each step, a line `by` unless a person asked for it, and a line
/// `end`; what became of it follows in lines of their own.
///
///     magnum-journal 1
///     act 17 2026-11-22T22:01:33Z - archive%20id:a@x.test
///     place work a@x.test 1700000000.V17U5.0123456789abcdef INBOX S Archive S
///     by 17 mcp:helper
///     end 17 1
///     done 17
enum JournalText {
  static let title = [UInt8](ascii: "magnum-journal 1\n")

  private static let none = [UInt8](ascii: "-")

  // MARK: Writing

  /// The lines of an act, up to its end.
  static func octets(_ act: Act) -> [UInt8] {
    var octets = line([
      [UInt8](ascii: "act"), [UInt8](decimal: act.number), Timestamp.octets(act.time),
      act.undoing.map { [UInt8](decimal: $0) } ?? none, word(act.command),
    ])
    for step in act.steps { octets += line(words(step)) }
    if let origin = act.origin.word {
      octets += line([[UInt8](ascii: "by"), [UInt8](decimal: act.number), word(origin)])
    }
    return octets
      + line([
        [UInt8](ascii: "end"), [UInt8](decimal: act.number), [UInt8](decimal: act.steps.count),
      ])
  }

  /// That the steps of an act were taken, except for some.
  static func done(_ number: Int, leaving left: [Int]) -> [UInt8] {
    let numbers = [number] + left.map { $0 + 1 }
    return line([[UInt8](ascii: "done")] + numbers.map { [UInt8](decimal: $0) })
  }

  /// That a step could not be taken.
  static func failed(_ number: Int, step: Int, _ words: [UInt8]) -> [UInt8] {
    fact("failed", number, step, words)
  }

  /// That a step was not tried.
  static func skipped(_ number: Int, step: Int) -> [UInt8] {
    line([[UInt8](ascii: "skipped"), [UInt8](decimal: number), [UInt8](decimal: step + 1)])
  }

  /// That the server refused a step once more.
  static func refused(_ number: Int, step: Int, _ words: [UInt8]) -> [UInt8] {
    fact("refused", number, step, words)
  }

  /// That a step was taken back here, since the server refuses it.
  static func returned(_ number: Int, step: Int, _ words: [UInt8]) -> [UInt8] {
    fact("returned", number, step, words)
  }

  private static func fact(
    _ name: StaticString,
    _ number: Int,
    _ step: Int,
    _ words: [UInt8]
  ) -> [UInt8] {
    line([[UInt8](ascii: name), [UInt8](decimal: number), [UInt8](decimal: step + 1), word(words)])
  }

  private static func words(_ step: ActStep) -> [[UInt8]] {
    let subject = [word([UInt8](step.account.utf8)), word(step.id), word(step.base)]
    return switch step.change {
    case .place(let from, let to):
      [[UInt8](ascii: "place")] + subject + words(from) + words(to)
    case .copy(let from, let to, let base):
      [[UInt8](ascii: "copy")] + subject + words(from) + words(to) + [word(base)]
    case .export(let from, let account, let to, let base):
      [[UInt8](ascii: "export")] + subject + words(from) + words(to)
        + [word(base), word([UInt8](account.utf8))]
    case .removal(let place): [[UInt8](ascii: "remove")] + subject + words(place)
    case .tags(let place, let added, let removed):
      [[UInt8](ascii: "tag")] + subject + words(place)
        + added.map { [ASCII.plus] + word($0) } + removed.map { [ASCII.minus] + word($0) }
    }
  }

  private static func words(_ place: FilePlace) -> [[UInt8]] {
    [word(place.folder), place.flags.isEmpty ? none : place.flags.characters]
  }

  private static func line(_ words: [[UInt8]]) -> [UInt8] {
    [UInt8](words.joined(separator: [ASCII.space])) + [ASCII.lineFeed]
  }

  /// Any octets as one word; a lone minus stands for none at all.
  private static func word(_ octets: [UInt8]) -> [UInt8] {
    if octets.isEmpty { return none }
    if octets == none { return [UInt8](ascii: "%2D") }
    return escaped(octets)
  }

  /// Any octets without blanks and controls.
  static func escaped(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { $0 <= ASCII.space || $0 == ASCII.delete }
  }

  // MARK: Reading

  /// The acts of a journal in their order, with what became of them, and the octets up to the end of the last of them
  /// that is whole.
  ///
  /// Lines that mean nothing, as a crash or a later version leaves them, are skipped, and so is an act without its end.
  static func acts(_ octets: [UInt8]) -> (acts: [RecordedAct], wholeLength: Int) {
    var acts: [RecordedAct] = []
    var places: [Int: Int] = [:]
    var begun: (act: Act, steps: [ActStep])?
    var wholeLength = 0
    var offset = 0
    while let end = octets[offset...].firstIndex(of: ASCII.lineFeed) {
      let words = octets[offset..<end].split(separator: ASCII.space)
      offset = end + 1
      guard let first = words.first else { continue }
      let name = String(decoding: first, as: UTF8.self)
      switch name {
      case "act": begun = act(words).map { ($0, []) }
      case "by":
        if let act = begun?.act, words.count == 3, number(words[1]) == act.number {
          begun?.act = act.with(origin: ActOrigin(word: text(words[2]) ?? []))
        }
      case "end":
        guard let (act, steps) = begun, words.count == 3, number(words[2]) == steps.count else {
          begun = nil
          continue
        }
        places[act.number] = acts.count
        acts.append(RecordedAct(act.with(steps: steps)))
        begun = nil
      case "done", "failed", "skipped", "refused", "returned":
        if let place = number(words.dropFirst().first).flatMap({ places[$0] }) {
          acts[place].applyLine(name, words.dropFirst(2).map { $0 })
        }
      default:
        if let step = step(name, words) { begun?.steps.append(step) }
      }
      if begun == nil { wholeLength = offset }
    }
    return (acts, wholeLength)
  }

  private static func act(_ words: [ArraySlice<UInt8>]) -> Act? {
    guard words.count == 5, let number = number(words[1]), let time = Timestamp.seconds(words[2]),
      let command = text(words[4])
    else { return nil }
    let undoing = Self.number(words[3])
    return Act(number: number, time: time, command: command, undoing: undoing, steps: [])
  }

  private static func step(_ name: String, _ words: [ArraySlice<UInt8>]) -> ActStep? {
    guard words.count >= 6, let account = text(words[1]), let id = text(words[2]),
      let base = text(words[3]), let from = place(words[4], words[5])
    else { return nil }
    let change: ActStep.Change
    switch (name, words.count) {
    case ("place", 8):
      guard let to = place(words[6], words[7]) else { return nil }
      change = .place(from: from, to: to)
    case ("copy", 9):
      guard let to = place(words[6], words[7]), let copy = text(words[8]) else { return nil }
      change = .copy(of: from, to: to, base: copy)
    case ("export", 10):
      guard let to = place(words[6], words[7]), let copy = text(words[8]),
        let other = text(words[9])
      else { return nil }
      let account = String(decoding: other, as: UTF8.self)
      change = .export(of: from, account: account, to: to, base: copy)
    case ("remove", 6): change = .removal(of: from)
    case ("tag", 7...):
      change = .tags(of: from, adding: tags(words, "+"), removing: tags(words, "-"))
    default: return nil
    }
    let name = String(decoding: account, as: UTF8.self)
    return ActStep(account: name, id: id, base: base, change)
  }

  /// The tags with a sign before them.
  private static func tags(_ words: [ArraySlice<UInt8>], _ sign: Character) -> [[UInt8]] {
    words.dropFirst(6).filter { $0.first == sign.asciiValue }
      .compactMap { PercentEscape.unescape($0.dropFirst()) }
  }

  private static func place(
    _ folder: ArraySlice<UInt8>,
    _ flags: ArraySlice<UInt8>
  ) -> FilePlace? {
    guard let folder = text(folder) else { return nil }
    var found: SystemFlags = []
    for letter in flags where flags != none[...] {
      guard let flag = SystemFlags(character: letter) else { return nil }
      found.insert(flag)
    }
    return FilePlace(folder, found)
  }

  static func text(_ word: ArraySlice<UInt8>) -> [UInt8]? {
    word == none[...] ? [] : PercentEscape.unescape(word)
  }

  static func number(_ word: ArraySlice<UInt8>?) -> Int? {
    guard let word else { return nil }
    var cursor = Cursor(word)
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return Int(exactly: number)
  }
}

extension Act {
  fileprivate func with(origin: ActOrigin? = nil, steps: [ActStep] = []) -> Act {
    Act(
      number: number,
      time: time,
      command: command,
      undoing: undoing,
      origin: origin ?? self.origin,
      steps: steps
    )
  }
}

extension RecordedAct {
  /// Applies what a line says about its outcome.
  fileprivate mutating func applyLine(_ name: String, _ words: [ArraySlice<UInt8>]) {
    let step = JournalText.number(words.first).map { $0 - 1 } ?? -1
    let isKnown = act.steps.indices.contains(step)
    switch name {
    case "done":
      isDone = true
      left.formUnion(words.compactMap { JournalText.number($0).map { $0 - 1 } })
      // What was noted of a step that a later attempt took, as one after a power failure, counts no more.
      failed = failed.filter { left.contains($0.key) }
      skipped.formIntersection(left)
    case "failed" where isKnown: failed[step] = Self.reason(words)
    case "skipped" where isKnown: skipped.insert(step)
    case "refused" where isKnown: refusals[step, default: 0] += 1
    case "returned" where isKnown: returned[step] = Self.reason(words)
    default: break
    }
  }

  private static func reason(_ words: [ArraySlice<UInt8>]) -> [UInt8] {
    words.last.flatMap { JournalText.text($0) } ?? []
  }
}
