/// Which steps of an act belong to one message.
///
/// These are the steps of its file, and of the copy of it that goes to another account.
///
/// They are taken in their order, each only after those before it. A message that has to be in two places, until a server has
/// the copy, must not leave one place before it is in the other.
struct StepChains {
  /// A file, as the journal knows it.
  struct File: Hashable {
    let account: String
    let id: [UInt8]
    let base: [UInt8]
  }

  /// The files that were copied to other accounts, by their copies.
  private var originals: [File: File] = [:]
  private var stopped: Set<File> = []

  /// The chains of acts: one, and the act that it takes back, which tells whose copies it removes.
  init(_ acts: [Act]) {
    for step in acts.lazy.flatMap(\.steps) {
      guard case .export(_, let account, _, let base) = step.change else { continue }
      originals[File(account: account, id: step.id, base: base)] = Self.own(step)
    }
  }

  /// The file that a step is about, which is the original where it is about the copy in another account.
  func file(of step: ActStep) -> File {
    let own = Self.own(step)
    return originals[own] ?? own
  }

  /// Whether a step is not to be taken, since one before it was not.
  func isStopped(at step: ActStep) -> Bool { stopped.contains(file(of: step)) }

  /// Notes that a step was not taken, where others wait for it.
  ///
  /// None waits for flags or tags: after a crash a file may be called otherwise than the step says.
  mutating func stop(at step: ActStep) {
    switch step.change {
    case .tags: return
    case .place(let from, let to): if from.folder == to.folder { return }
    case .copy, .export, .removal: break
    }
    stopped.insert(file(of: step))
  }

  private static func own(_ step: ActStep) -> File {
    File(account: step.account, id: step.id, base: step.base)
  }
}
