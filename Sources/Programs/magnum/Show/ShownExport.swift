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
  private let reader: ExportReader
  private let context: CommandContext

  /// Those of some indexes, or of the Maildirs of any account below `roots`.
  init(_ context: CommandContext, _ messages: [ShownMessage], _ set: SearchSet, roots: [Path]) {
    (self.context, self.messages) = (context, messages)
    // Files are shown without a configuration too.
    let accounts = (try? context.configuration(isNeeded: false).accounts) ?? []
    reader = ExportReader(accounts, set, roots: roots)
  }

  /// Prints the messages; those that cannot be printed whole are left out and named.
  func write(as format: ExportFormat) throws(Explanation) -> ExitStatus {
    var status = ExitStatus.success
    for message in messages {
      do {
        try message.write(as: format, reader) { context.console.print(content: $0) }
      } catch let flaw as ImportFlaw {
        status = .partial
        context.report(
          place: message.exported.display,
          "left out: \(flaw.text)",
          hint: flaw == .partial ? "--raw prints the file as it is" : nil
        )
      } catch {
        throw Explanation(.partial, place: message.exported.display, "\(error)")
      }
    }
    return status
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

  /// Writes the message as `magnum export` does, as an mbox or as it goes over the wire.
  ///
  /// - Throws: `ImportFlaw` where it is to be left out; why it cannot be read.
  func write(
    as format: ExportFormat,
    _ reader: ExportReader,
    _ write: ([UInt8]) -> Void
  ) throws {
    let message = try reader.open(exported)
    if format == .mbox {
      try MboxMessage.write(message, decoder, write)
    } else {
      try MailExport.writeWire(message.octets) { write([UInt8]($0)) }
    }
  }
}
