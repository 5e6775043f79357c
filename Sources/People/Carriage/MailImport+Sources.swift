internal import Maildir
internal import MailModel
internal import Mbox
internal import Octets
internal import Platform
internal import Restoration

// Files and standard input.
extension MailImport {
  func bring(_ source: MailSource) throws(SystemError) {
    let folder: ImportFolder
    do throws(Explanation) {
      folder = try target.folder(source.levels)
    } catch {
      return finish(source.path, nil, nil, .left(.skipped(.noMailbox)))
    }
    switch source.content {
    case .mbox: try bringFile(source.path, folder, MboxReader(options.kind))
    case .message(let notes): try bringFile(source.path, folder, MboxReader(single: ()), notes)
    case .apple(let file): try bringApple(source.path, file, folder)
    case .maildir(let files): try bringMaildir(files, folder)
    case .input(let input): try bringInput(input, folder)
    }
  }

  func bringFile(
    _ path: Path,
    _ folder: ImportFolder,
    _ reader: MboxReader,
    _ notes: MailNotes? = nil
  ) throws(SystemError) {
    guard let (octets, date) = openSource(path) else { return }
    var pieces = octets.pieces
    let stream = SourceStream(path, date, isMessage: reader.isSingle, folder, notes)
    try bring(stream, reader) { () throws(SourceError) in try pieces.next() }
  }

  /// Opens a file; nil where it cannot be read, which is counted.
  func openSource(_ path: Path) -> (octets: FileOctets, date: Int64)? {
    do throws(SystemError) {
      let file = try Descriptor.open(path, .read)
      let date = try file.status().fingerprint.modified / 1_000_000_000
      return (try FileOctets(file), date)
    } catch {
      finish(path, nil, nil, .left(.unreadable(error)))
      return nil
    }
  }

  /// A message of Apple's Mail, with the property list behind it.
  func bringApple(
    _ path: Path,
    _ file: AppleMailFile,
    _ folder: ImportFolder
  ) throws(SystemError) {
    guard let (octets, date) = openSource(path) else { return }
    let message = file.message
    guard message.upperBound <= octets.count else {
      return finish(path, nil, nil, .left(.changed))
    }
    let end = min(octets.count, message.upperBound + AppleMailFile.listLimit)
    let list = (try? octets.octets(in: message.upperBound..<end)) ?? []
    let notes = AppleMailFile.notes([UInt8](list))
    var pieces = octets.part(message).pieces
    let stream = SourceStream(path, date, isMessage: true, folder, notes)
    try bring(stream, MboxReader(single: ())) { () throws(SourceError) in try pieces.next() }
  }

  func bringInput(
    _ input: MailInput,
    _ folder: ImportFolder
  ) throws(SystemError) {
    let reader = input.kind == .mbox ? MboxReader(options.kind) : MboxReader(single: ())
    var first: [UInt8]? = input.start
    let stream = SourceStream(Path("-"), nil, isMessage: reader.isSingle, folder)
    try bring(stream, reader) { () throws(SourceError) in
      if let start = first.take() { return start[...] }
      do throws(SystemError) {
        let piece = try input.next(interruption)
        return piece.isEmpty ? nil : piece[...]
      } catch {
        throw SourceError(.system(code: error.code), path: nil)
      }
    }
  }

  /// Where the messages of a source come from, and go.
  struct SourceStream {
    let path: Path
    let date: Int64?
    let isMessage: Bool
    let folder: ImportFolder
    let notes: MailNotes?

    init(
      _ path: Path,
      _ date: Int64?,
      isMessage: Bool,
      _ folder: ImportFolder,
      _ notes: MailNotes? = nil
    ) {
      (self.path, self.date, self.isMessage) = (path, date, isMessage)
      (self.folder, self.notes) = (folder, notes)
    }
  }

  func bring(
    _ stream: SourceStream,
    _ reader: MboxReader,
    _ next: () throws(SourceError) -> ArraySlice<UInt8>?
  ) throws(SystemError) {
    var reader = reader
    var message: Passing?
    var isDone = false
    var isEmpty = true
    while !isDone, !interruption.isRequested {
      let events: [MboxEvent]
      do throws(SourceError) {
        if let piece = try next() {
          events = reader.read(piece)
        } else {
          events = reader.finish()
          isDone = true
        }
      } catch {
        if interruption.isRequested { break }
        // What was read of the message is not all of it.
        let offset = stream.isMessage ? nil : reader.messageStart
        finish(stream.path, offset, nil, .left(Self.leftOut(error)))
        break
      }
      for event in events {
        switch event {
        case .head(let head):
          isEmpty = false
          message = try begin(head, stream)
        case .body(let octets):
          if case .incoming(let incoming)? = message { try incoming.write(octets) }
        case .end:
          if let passed = message.take() { try end(passed, stream) }
        }
      }
    }
    counts.lookalikes += reader.lookalikes
    if isDone, isEmpty, stream.isMessage { finish(stream.path, nil, nil, .left(.empty)) }
  }

  static func leftOut(_ error: SourceError) -> ImportFlaw {
    switch error.problem {
    case .changed: .changed
    case .system(let code):
      .unreadable(SystemError(operation: "read", path: error.path.map { Path($0) }, code: code))
    }
  }
}
