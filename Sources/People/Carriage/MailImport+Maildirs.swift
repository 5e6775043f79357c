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
      let path = file.path(in: source.path)
      guard !NoticeName.isOne(file.name.base) else {
        finish(path, nil, nil, .left(.skipped(.notice)))
        continue
      }
      guard let (octets, date) = openSource(path, isOfMaildir: true) else { continue }
      var flags = MessageFlags(file.name.flags, keywords: keywords[file.name])
      flags.system.remove(.deleted)
      let stream = SourceStream(
        path,
        date,
        isMessage: true,
        folder,
        .maildir(flags, base: file.name.base)
      )
      try bring(octets, stream, MboxReader(single: ()))
    }
  }

  private func leaveOut(_ oddity: Oddity, _ folder: Path) {
    switch oddity {
    case .notAFile(let file, let kind):
      finish(file.path(in: folder), nil, nil, .left(kind == .symbolicLink ? .link : .noFile))
    case .noBase(let file):
      finish(file.path(in: folder), nil, nil, .left(.skipped(.noName)))
    case .duplicate(_, let other):
      finish(other.path(in: folder), nil, nil, .left(.skipped(.changed)))
    }
  }
}
