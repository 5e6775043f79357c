internal import CommandLine
internal import Correspondence
internal import Octets
internal import Platform

/// The files that an editor left beside a draft, and what people can do with them.
struct RecoveryFiles {
  /// Their names, as text; none where they cannot be listed.
  let names: [String]

  private let directory: String

  init(of composition: Composition) {
    names = ((try? composition.recoveryFiles()) ?? []).map { Printable.text($0) }
    directory = composition.directory.display
  }

  var isEmpty: Bool { names.isEmpty }

  /// The names in a sentence.
  var list: String { names.joined(separator: ", ") }

  /// Says that there are some, and how they are used.
  func report(in context: CommandContext) {
    guard !isEmpty else { return }
    let hints = names.compactMap(Self.advice)
    context.report(
      place: directory,
      "the editor left \(list), perhaps with text that was not saved",
      hint: hints.first ?? "look at it before you discard the draft"
    )
  }

  /// How the editor that gave a file this name recovers a text from it; nil for other files.
  static func advice(_ name: String) -> String? {
    if name.hasPrefix("#"), name.hasSuffix("#") {
      return "open the draft again, then in Emacs: M-x recover-this-file"
    }
    if name.hasSuffix(".save") || name.contains(".save.") {
      return "open the draft again, then read the file into it (nano: Ctrl-R)"
    }
    if name.hasPrefix(".text.eml.sw") { return "open the draft again; vim offers to recover it" }
    return nil
  }
}
