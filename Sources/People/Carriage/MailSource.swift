package import Mbox
package import Platform
package import Restoration

/// A file or folder of mail that is brought in.
package struct MailSource: Sendable {
  /// How it holds messages.
  package enum Content: Sendable {
    case mbox
    /// One message, and what is kept of it beside.
    case message(MailNotes?)
    /// One message of Apple's Mail, with what is kept of it.
    case apple(AppleMailFile)
    /// One whose attachments are files of their own, beside it.
    case appleParts(AppleMailFile)
    case maildir(SourceFolder)
    /// Standard input.
    case input(MailInput)
  }

  package let path: Path
  package let content: Content
  /// The levels of its folder below the one that is named.
  package let levels: [[UInt8]]
}

/// Why a message, or what should be one, is not brought in.
package enum ImportFlaw: Error, Hashable, Sendable {
  case empty
  case noHeader
  /// It is no mail: a mail program keeps the state of the mbox in it.
  case state
  /// It is not what a file of Apple's Mail is, or not all of it.
  case noApple
  /// It is an mbox where a message is meant.
  case mbox
  /// Its header has more octets than that.
  case longHeader(limit: Int)
  /// It holds an octet 0, which no server takes.
  case containsNUL
  /// It is a file without its attachments, or holds one.
  case partial
  /// It is a symbolic link.
  case link
  /// It is no file: a pipe, socket or device.
  case noFile
  /// The file is there no more.
  case gone
  /// The file changed while it was read.
  case changed
  /// A Maildir has it in a place that is no message's, or a directory that is no folder's.
  case skipped(SkippedEntry.Reason)
  case unreadable(SystemError)

  /// What is said of it.
  package var text: String {
    switch self {
    case .empty: "empty"
    case .noHeader: "no header"
    case .state: "no mail; a mail program keeps the state of the mbox in it"
    case .noApple: "not a whole file of Apple Mail"
    case .mbox: "an mbox, which magnum import reads"
    case .longHeader(let limit): "its header exceeds \(limit >> 20) MB"
    case .containsNUL: "it contains a NUL octet, which no mail server accepts"
    case .partial: "it lacks attachments, which only its server has, or contains such a message"
    case .link: "a symbolic link"
    case .noFile: "not a regular file"
    case .gone: "the file is gone"
    case .changed: "the file changed while it was read"
    case .skipped(let reason): Self.text(reason)
    case .unreadable(let error): "it cannot be read: \(error.reason)"
    }
  }

  private static func text(_ reason: SkippedEntry.Reason) -> String {
    switch reason {
    case .link: "a symbolic link"
    case .noFile: "not a regular file"
    case .noName: "its name has nothing before the colon"
    case .hidden, .noMailbox: "the directory stands for no folder"
    case .half: "its directory is no Maildir, which has both cur and new"
    case .state: "Magnum keeps its state or its queue there"
    case .placeholder: "mbsync left it in place of a message that was too large"
    case .notice: "a message of Magnum's own, which belongs to no folder"
    case .changed: "it changed meanwhile"
    case .unreadable(let error): "it cannot be read: \(error.reason)"
    }
  }
}

/// Something below a directory that is not read.
package struct ImportObstacle: Sendable {
  package let path: Path
  package let reason: ImportFlaw
}
