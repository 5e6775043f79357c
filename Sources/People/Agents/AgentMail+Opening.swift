internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import SearchIndex

// The files of messages, opened: as commands find them.
extension AgentMail {
  /// The message of a file.
  ///
  /// - Throws: `again` where it cannot be read.
  func open(_ path: Path) throws(ToolFailure) -> MessageFinder.Found {
    do throws(Explanation) {
      return try MessageFinder(
        profile.configuration,
        accounts: profile.settings.accounts,
        report: { _ in }
      ).one(file: path)
    } catch {
      throw .again
    }
  }

  /// The message of the first of some files that is there.
  ///
  /// - Throws: `not-found` where none is, `again`.
  func open(_ files: [FoundFile]) throws(ToolFailure) -> MessageFinder.Found {
    guard let path = files.lazy.compactMap({ $0.currentPath() }).first else { throw .notFound }
    return try open(path)
  }

  /// The one message of an id, of which more is taken than its text: a part, or what an answer takes up.
  ///
  /// - Throws: `refused` of encrypted mail, which may be for the person alone, as keys are; `not-found`, `ambiguous`, `again`.
  func openClear(
    _ id: String
  ) throws(ToolFailure) -> (message: FoundMessage, opened: MessageFinder.Found) {
    let found = try messages(id, limit: 2)
    guard let message = found.first, found.count == 1 else { throw .ambiguous }
    let opened = try open(try files(of: message))
    guard !Self.isEncrypted(message, opened.message) else { throw .refused }
    return (message, opened)
  }

  /// Whether anything of a message may be encrypted.
  static func isEncrypted(_ found: FoundMessage, _ message: Message) -> Bool {
    found.isTagged("encrypted") || MessageEnvelope.mayBeEncrypted(message)
  }

  /// Who got a message, as all who got it see it: the index has hidden recipients among them.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - files: those of its files that may be read.
  /// - Returns: names and addresses; those of copies are missing where no file is there.
  func openRecipients(
    of message: FoundMessage,
    _ files: [FoundFile]
  ) -> [(name: [UInt8], address: [UInt8])] {
    let to = message.to.map { ($0.name, $0.address) }
    guard !message.cc.isEmpty, let path = files.lazy.compactMap({ $0.currentPath() }).first,
      let header = Header(ofFile: path)
    else { return to }
    let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
    return to + header.mailboxes("Cc", decoder).map { ($0.name, $0.address) }
  }
}
