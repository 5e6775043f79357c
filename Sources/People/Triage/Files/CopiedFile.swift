internal import Maildir
internal import Platform

/// A file that is copied where it cannot get a second name, as on another file system.
struct CopiedFile {
  private static let pieceSize = 1 << 18

  private let source: Path

  init(_ source: Path) {
    self.source = source
  }

  /// Writes a copy, and gives it its name; durable on return except for the name.
  ///
  /// - Returns: whether it is there, and nothing else under its name.
  func write(as file: ScannedFile, to maildir: Path) throws(SystemError) -> Bool {
    let input = try Descriptor.open(source, .read)
    var delivery = MaildirDelivery(to: maildir, temporaryName: file.name.base)
    while true {
      let piece = try input.read(atMost: Self.pieceSize)
      if piece.isEmpty { break }
      try delivery.write(piece[...])
    }
    let placement = Placement(
      message: try delivery.finish(),
      subdirectory: file.subdirectory,
      name: file.name
    )
    switch MaildirCommit.commit([placement]).first {
    case .placed, .adopted: return true
    case .failed(let error): throw error
    case .collision, nil: return false
    }
  }
}
