internal import CommandLine
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import SyncState
internal import Terminal

/// Drafts that programs left that did not come to their end; they are listed without a configuration, too.
struct LeftDrafts {
  private let context: CommandContext
  /// Tells what lacks attachments, of the files that drafts attach.
  private let partial: PartialFiles
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(_ context: CommandContext, _ partial: PartialFiles = .none) {
    self.context = context
    self.partial = partial
  }

  /// Prints them, one a line.
  func list() -> ExitStatus {
    do throws(SystemError) {
      for composition in try Composition.abandoned() {
        let (draft, facts, _) = try read(composition)
        let recovery = RecoveryFiles(of: composition)
        let name = composition.directory.lastComponent
        if context.globals.json {
          var line = JSONLine()
          line.add("version", 1)
          line.add("name", octets: name)
          line.add("account", ifPresent: facts.account)
          line.add("subject", octets: draft.subject)
          line.add("to", octets: (draft.to + draft.cc).map { AddressText.text([$0]) })
          line.add("queuing", facts.isQueuing)
          if !recovery.isEmpty { line.add("recovery", recovery.names) }
          context.console.print(octets: line.octets)
        } else {
          let to = Printable.text(AddressText.text(draft.to), limit: 40)
          let sent = facts.isQueuing ? "  (may have been sent)" : ""
          let left = recovery.isEmpty ? "" : "  (the editor left \(recovery.list))"
          context.console.print(
            "\(Printable.text(name))  \(to)  \(Printable.text(draft.subject, limit: 50))\(sent)\(left)"
          )
        }
      }
      return .success
    } catch {
      return context.report(Explanation(.partial, error.description))
    }
  }

  /// The draft as its text says, and why that cannot be read where it is no draft, or names a file that is not there.
  func read(
    _ composition: Composition
  ) throws(SystemError) -> (Draft, Composition.Facts, problem: Explanation?) {
    var problem: Explanation?
    var (draft, files) = try composition.draft(decoder)
    for file in files {
      // A file that is gone meanwhile is missed when the draft is looked at.
      if let file = try? AttachmentReader(limit: .max, partial).file(file) {
        draft.attachments.append(.file(file))
      }
    }
    if let text = try composition.text() {
      do {
        let edited = try DraftText.parse(text, into: draft, decoder)
        draft = edited.draft
        for file in edited.files {
          let file = try AttachmentReader(limit: .max, partial).file(TypedPath.path(file))
          draft.attachments.append(.file(file))
        }
      } catch let mistake as DraftText.Problem {
        problem = Explanation(.data, mistake.text)
      } catch {
        problem = error as? Explanation
      }
    }
    return (draft, try composition.facts(), problem)
  }
}

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
