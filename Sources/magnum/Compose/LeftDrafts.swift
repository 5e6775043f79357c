internal import CommandLine
internal import Correspondence
internal import MIME
internal import Octets
internal import Platform
internal import Terminal

/// Drafts that programs left that did not come to their end; they are listed without a configuration, too.
struct LeftDrafts {
  private let context: CommandContext
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(_ context: CommandContext) {
    self.context = context
  }

  /// Prints them, one a line.
  func list() -> ExitStatus {
    do throws(SystemError) {
      for composition in try Composition.abandoned() {
        let (draft, facts) = try read(composition)
        let name = composition.directory.lastComponent
        if context.globals.json {
          var line = JSONLine()
          line.add("version", 1)
          line.add("name", octets: name)
          line.add("account", ifPresent: facts.account)
          line.add("subject", octets: draft.subject)
          line.add("to", octets: (draft.to + draft.cc).map { AddressText.text([$0]) })
          line.add("queuing", facts.isQueuing)
          context.console.print(octets: line.octets)
        } else {
          let to = Printable.text(AddressText.text(draft.to), limit: 40)
          let note = facts.isQueuing ? "  (may have been sent)" : ""
          context.console.print(
            "\(Printable.text(name))  \(to)  \(Printable.text(draft.subject, limit: 50))\(note)"
          )
        }
      }
      return .success
    } catch {
      return context.report(Explanation(.partial, error.description))
    }
  }

  /// The draft as its text says, as far as that can be read.
  func read(
    _ composition: Composition
  ) throws(SystemError) -> (Draft, Composition.Facts) {
    var (draft, files) = try composition.draft(decoder)
    for file in files {
      // A file that is gone meanwhile is missed when the draft is looked at.
      if let file = try? AttachmentReader(limit: .max).file(file) {
        draft.attachments.append(.file(file))
      }
    }
    if let text = try composition.text(),
      let edited = try? DraftText.parse(text, into: draft, decoder)
    {
      draft = edited.draft
      for file in edited.files {
        let path = Path(argument: String(decoding: file, as: UTF8.self))
        if let file = try? AttachmentReader(limit: .max).file(path) {
          draft.attachments.append(.file(file))
        }
      }
    }
    return (draft, try composition.facts())
  }
}
