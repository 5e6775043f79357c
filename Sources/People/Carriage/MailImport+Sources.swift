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
    case .message(let notes):
      let reader = MboxReader(single: (), skipsEmptyLines: true)
      try bringFile(source.path, folder, reader, notes.map { .beside($0) } ?? .header)
    case .apple(let file): try bringApple(source.path, file, folder, isWhole: true)
    case .appleParts(let file): try bringApple(source.path, file, folder, isWhole: false)
    case .maildir(let files): try bringMaildir(files, folder)
    case .input(let input): try bringInput(input, folder)
    }
  }

  private func bringFile(
    _ path: Path,
    _ folder: ImportFolder,
    _ reader: MboxReader,
    _ notes: SourceStream.Notes = .header
  ) throws(SystemError) {
    guard let (octets, date) = openSource(path) else { return }
    try bring(octets, SourceStream(path, date, isMessage: reader.isSingle, folder, notes), reader)
  }

  /// Opens a file, one of a Maildir under the name that it has now; nil where it cannot be read, which is counted.
  func openSource(
    _ path: Path,
    isOfMaildir: Bool = false
  ) -> (octets: FileOctets, date: Int64)? {
    do throws(SystemError) {
      let file =
        isOfMaildir
        ? try GuardedFile.open(try CurrentPath.find(path) ?? path)
        : try Descriptor.open(path, .read)
      let date = try file.status().fingerprint.modified / 1_000_000_000
      return (try FileOctets(file), date)
    } catch {
      let reason: ImportFlaw =
        error.isNotFound ? .changed : error.isLink ? .link : .unreadable(error)
      finish(path, nil, nil, .left(reason))
      return nil
    }
  }

  private func bringInput(
    _ input: MailInput,
    _ folder: ImportFolder
  ) throws(SystemError) {
    let isSingle = input.kind != .mbox
    let reader =
      isSingle ? MboxReader(single: (), skipsEmptyLines: true) : MboxReader(options.kind)
    var first: [UInt8]? = input.start
    let stream = SourceStream(Path("-"), nil, isMessage: isSingle, folder)
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

  // MARK: Octets

  func bring(
    _ octets: any OctetSource,
    _ stream: SourceStream,
    _ reader: MboxReader
  ) throws(SystemError) {
    var pieces = octets.pieces
    try bring(stream, reader) { () throws(SourceError) in try pieces.next() }
  }

  private func bring(
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

  private static func leftOut(_ error: SourceError) -> ImportFlaw {
    switch error.problem {
    case .changed: .changed
    case .system(let code):
      .unreadable(SystemError(operation: "read", path: error.path.map { Path($0) }, code: code))
    }
  }
}
