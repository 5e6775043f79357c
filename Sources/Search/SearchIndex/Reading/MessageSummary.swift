internal import MIME
package import Maildir
internal import Octets
package import Platform

/// What is shown of a message to decide whether to read it: all of it is read from its file.
package struct MessageSummary: Sendable {
  /// Octets of a text at most; what is longer is cut between characters.
  static let textLimit = 1000

  /// The file as it is named now.
  package let path: Path
  /// The Message-ID without angle brackets, or the id that searches have; nil where it is too long for one.
  package let id: [UInt8]?
  /// When it was written, in seconds since 1970; nil where it does not tell.
  package let date: Int64?
  /// Who wrote it: `Name <address>`, in UTF-8; nil where it names no author.
  package let from: [UInt8]?
  /// Its subject, in UTF-8; nil for none.
  package let subject: [UInt8]?
  /// The id of the mailing list that it came through, in small letters; nil for none.
  package let list: [UInt8]?
  /// The first words that its author wrote, in UTF-8; nil for none.
  package let snippet: [UInt8]?

  /// Reads a message, also where its file was renamed in its folder.
  ///
  /// Nil where it is gone, or cannot be read.
  package init?(_ maildir: Path, _ file: ScannedFile) {
    let place = FoundFile(maildir: maildir, folder: [], file: file)
    guard let path = place.currentPath(),
      let read = try? MailFile.read(maildir, file, limit: MessageReader.sizeLimit)
    else { return nil }
    let reader = MessageReader(maildir)
    let message = Message(read.octets)
    let head = reader.head(read.octets, arrived: read.arrived) { read.octets }
    self.path = path
    id = head.id.count <= Self.textLimit ? head.id : nil
    date = head.date > 0 ? head.date : nil
    from = Self.text(reader.people(message.header, "From").first?.text ?? [])
    subject = Self.text(head.subject)
    let list = message.header.listID(reader.decoder)
    self.list = list.flatMap { $0.count <= Self.textLimit ? $0 : nil }
    snippet = Self.text(reader.snippet(of: message.parts))
  }

  private static func text(_ text: [UInt8]) -> [UInt8]? {
    text.isEmpty ? nil : Snippet.cut(text, to: textLimit)
  }
}
