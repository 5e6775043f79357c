internal import Carriage
internal import CommandLine
internal import Configuration
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import SearchIndex
internal import Terminal

/// Messages that are shown as `magnum export` writes them.
struct ShownExport {
  private let messages: [ShownMessage]
  private let context: CommandContext
  private let set: SearchSet
  private let roots: [Path]
  private let place: Path?
  private let page: MessagePage

  /// Those of some indexes, or of the Maildirs of any account below `roots`; to standard output where `place` is nil.
  init(
    _ context: CommandContext,
    _ messages: [ShownMessage],
    _ set: SearchSet,
    roots: [Path],
    to place: Path?,
    _ page: MessagePage
  ) {
    (self.context, self.messages, self.set) = (context, messages, set)
    (self.roots, self.place, self.page) = (roots, place, page)
  }

  /// Prints or writes the messages; those that cannot be printed whole are left out and named.
  func write(as format: ExportFormat) throws(Explanation) -> ExitStatus {
    // Files are shown without a configuration too.
    let accounts = (try? context.configuration(isNeeded: false).accounts) ?? []
    let export = MailExport(
      format,
      to: place,
      force: false,
      hintWhereTaken: "name another file",
      keepsFolders: false,
      accounts,
      set,
      roots: roots,
      renderer: page,
      progress: { _ in },
      leaveOut: { [context] item, flaw in
        context.report(
          place: item.display,
          "left out: \(flaw.text)",
          hint: flaw == .partial ? "--raw prints the file as it is" : nil
        )
      }
    )
    return try export.writeMessages(messages.map(\.exported)).left > 0 ? .partial : .success
  }
}

extension ShownMessage {
  /// The message as one that is taken out.
  var exported: ExportItem {
    let (date, size) = (found?.date ?? 0, UInt64(message.octets.count))
    guard let path else {
      let place = found.map { ExportItem.Place.archived($0) }
      return ExportItem(place ?? .read(message.octets, from: Path("-")), date: date, size: size)
    }
    // What came through a pipe is read once.
    let isFile = (try? FileSystem.status(path))?.kind == .regular
    return ExportItem(
      isFile ? .named(path) : .read(message.octets, from: path),
      date: date,
      size: size
    )
  }
}
