internal import MailModel
internal import Mbox
internal import Platform

/// A file or a stream whose messages are brought in.
struct SourceStream {
  /// What tells of flags, tags and dates of its messages.
  enum Notes {
    /// Their headers and separators.
    case header
    /// What a mail program keeps beside it; its header tells the tags.
    case beside(MailNotes)
    /// The name of its file in a Maildir and what is recorded there; its header tells nothing, and stays as it is.
    case maildir(MessageFlags, base: [UInt8])
  }

  let path: Path
  /// When it was last changed, in seconds since 1970; nil where that is not known.
  let date: Int64?
  /// Whether it is one message.
  let isMessage: Bool
  let folder: ImportFolder
  let notes: Notes
  /// Whether its octets are put together from several files.
  let isJoined: Bool

  init(
    _ path: Path,
    _ date: Int64?,
    isMessage: Bool,
    _ folder: ImportFolder,
    _ notes: Notes = .header,
    isJoined: Bool = false
  ) {
    (self.path, self.date, self.isMessage) = (path, date, isMessage)
    (self.folder, self.notes, self.isJoined) = (folder, notes, isJoined)
  }

  /// The base name of its file in a Maildir, which tells of it too; nil for other sources.
  var base: [UInt8]? {
    if case .maildir(_, let base) = notes { return base }
    return nil
  }
}
