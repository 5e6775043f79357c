internal import Mbox
internal import MIME
internal import Octets
internal import Platform
internal import Restoration

// Files of Apple's Mail.
extension MailImport {
  /// A partial message longer than this, which lacks its attachments, is not taken apart.
  private static let partialLimit = 64 << 20
  /// Text that is written as quoted-printable anew is not longer.
  private static let textLimit = 16 << 20

  /// Brings in a message with what the property list behind it tells; one that is not whole with its attachments put back.
  func bringApple(
    _ path: Path,
    _ file: AppleMailFile,
    _ folder: ImportFolder,
    isWhole: Bool
  ) throws(SystemError) {
    guard let (octets, date) = openSource(path) else { return }
    let message = file.message
    guard message.upperBound <= octets.count else {
      return finish(path, nil, nil, .left(.changed))
    }
    let end = min(octets.count, message.upperBound + AppleMailFile.listLimit)
    let list = (try? octets.octets(in: message.upperBound..<end)) ?? []
    let notes = AppleMailFile.notes([UInt8](list)).map { SourceStream.Notes.beside($0) } ?? .header
    let text = octets.part(message)
    guard let joined = isWhole ? text : Self.joined(text, beside: path) else {
      return finish(path, nil, nil, .left(.partial))
    }
    let stream = SourceStream(
      path,
      date,
      isMessage: true,
      folder,
      notes,
      isJoined: !isWhole
    )
    try bring(joined, stream, MboxReader(single: ()))
  }

  /// The message with its attachments; nil where one of them is missing, or cannot be the one that was there.
  private static func joined(
    _ message: any OctetSource,
    beside path: Path
  ) -> (any OctetSource)? {
    guard message.count <= partialLimit, let octets = try? message.whole(),
      let parts = AppleMessageParts(octets)
    else { return nil }
    let number = [UInt8](path.lastComponent.prefix { ASCII.isDigit($0) })
    guard !number.isEmpty else { return nil }
    // `Messages` and `Attachments` lie side by side.
    for parent in [path.parent.parent, path.parent] {
      let attachments = parent.appending([UInt8](ascii: "Attachments"))
      let directory = attachments.appending(number)
      if isDirectory(attachments), isDirectory(directory), let joined = joined(parts, directory) {
        return joined
      }
    }
    return nil
  }

  /// No link is followed.
  private static func isDirectory(_ path: Path) -> Bool {
    (try? FileSystem.status(path, followingLinks: false))?.kind == .directory
  }

  private static func joined(_ parts: AppleMessageParts, _ directory: Path) -> (any OctetSource)? {
    var sources: [any OctetSource] = []
    for piece in parts.pieces {
      switch piece {
      case .octets(let octets): sources.append(octets)
      case .attachment(let attachment):
        guard let file = onlyFile(directory.appending(attachment.section)),
          attachment.canBe(fileOf: file.count), let body = encoded(file, attachment.encoding)
        else { return nil }
        sources.append(body)
      }
    }
    return JoinedOctets(sources)
  }

  /// The file of an attachment: the one in its directory.
  private static func onlyFile(_ directory: Path) -> FileOctets? {
    guard isDirectory(directory) else { return nil }
    var names: [[UInt8]] = []
    do throws(SystemError) {
      try FileSystem.entries(of: directory) { name, kind in
        if name.first != ASCII.dot { names.append(kind == .regular ? [UInt8](name) : []) }
      }
      guard let name = names.first, names.count == 1, !name.isEmpty else { return nil }
      return try FileOctets(try GuardedFile.open(directory.appending(name)))
    } catch {
      return nil
    }
  }

  private static func encoded(
    _ file: FileOctets,
    _ encoding: TransferEncoding
  ) -> (any OctetSource)? {
    switch encoding {
    case .identity: return file
    case .base64: return Base64Lines(file)
    case .quotedPrintable:
      guard file.count <= textLimit, let text = try? file.whole() else { return nil }
      return QuotedPrintable.encode(LineFeeds.only(text))
    case .uuencode: return nil
    }
  }
}
