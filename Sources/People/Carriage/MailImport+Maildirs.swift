internal import Maildir
internal import MailModel
internal import Mbox
internal import Octets
internal import Platform
internal import Restoration

// Folders of Maildirs.
extension MailImport {
  func bringMaildir(
    _ source: SourceFolder,
    _ folder: ImportFolder
  ) throws(SystemError) {
    let scan: MaildirScan
    do throws(SystemError) {
      guard let found = try MaildirScan.scanIfPresent(source.path) else { return }
      scan = found
    } catch {
      return finish(source.path, nil, nil, .left(.unreadable(error)))
    }
    for oddity in scan.oddities { leaveOut(oddity, source.path) }
    let keywords = SourceKeywords(of: source.path) { [self] path, error in
      finish(path, nil, nil, .left(.unreadable(error)))
    }
    for file in scan.files where !interruption.isRequested {
      try bring(file, of: source, keywords[file.name], folder)
    }
  }

  func leaveOut(_ oddity: Oddity, _ folder: Path) {
    switch oddity {
    case .notAFile(let file, let kind):
      finish(file.path(in: folder), nil, nil, .left(kind == .symbolicLink ? .link : .noFile))
    case .noBase(let file):
      finish(file.path(in: folder), nil, nil, .left(.skipped(.noName)))
    case .duplicate(_, let other):
      finish(other.path(in: folder), nil, nil, .left(.skipped(.changed)))
    }
  }

  func bring(
    _ file: ScannedFile,
    of source: SourceFolder,
    _ keywords: [[UInt8]],
    _ folder: ImportFolder
  ) throws(SystemError) {
    let path = file.path(in: source.path)
    if NoticeName.isOne(file.name.base) {
      return finish(path, nil, nil, .left(.skipped(.notice)))
    }
    let octets: FileOctets
    let date: Int64
    do throws(SystemError) {
      let opened = try GuardedFile.open(try CurrentPath.find(path) ?? path)
      date = try opened.status().fingerprint.modified / 1_000_000_000
      octets = try FileOctets(opened)
    } catch {
      let reason: ImportFlaw =
        error.isNotFound ? .changed : error.isLink ? .link : .unreadable(error)
      return finish(path, nil, nil, .left(reason))
    }
    let tags = MessageFlags(file.name.flags, keywords: keywords)
    var reader = MboxReader(single: ())
    var pieces = octets.pieces
    var message: ImportedMessage?
    while true {
      let events: [MboxEvent]
      let isLast: Bool
      do throws(SourceError) {
        let piece = try pieces.next()
        isLast = piece == nil
        events = piece.map { reader.read($0) } ?? reader.finish()
      } catch {
        return finish(path, nil, nil, .left(Self.leftOut(error)))
      }
      for event in events {
        switch event {
        case .head(let head):
          let fields = ContainerFields(head.octets, keepsFields: true)
          let begun = try incoming(
            head,
            fields,
            path,
            folder,
            tags.system.subtracting(.deleted),
            tags.keywords,
            date
          )
          try begun.write(fields.rest[...])
          message = begun
        case .body(let octets): try message?.write(octets)
        case .end: break
        }
      }
      if isLast { break }
    }
    guard let message else { return finish(path, nil, nil, .left(.empty)) }
    try end(message, offset: nil, sourceBase: file.name.base)
  }
}
