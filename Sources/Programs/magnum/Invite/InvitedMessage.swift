internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Invitations
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import SearchIndex
internal import Terminal

/// A message with an event, opened as `magnum show` opens it, and what other messages say of the same event.
struct InvitedMessage {
  let found: MessageFinder.Found
  let reading: ProtectionReading
  let look: InvitationLook
  let invitation: Invitation
  /// Whether the receiving server says that it is not of its author.
  let isDisowned: Bool

  /// The message that words name.
  ///
  /// - Throws: that there is none, or several; that it has no event.
  init(
    _ words: [String],
    _ configuration: Configuration,
    _ context: CommandContext
  ) throws(Explanation) {
    let finder = try MessageFinder(
      configuration,
      accounts: context.globals.accounts,
      report: { context.report($0) }
    )
    let protection = ProtectionLook(
      ProtectionLook.Options(),
      context,
      isOnTerminal: TerminalTraits.of(descriptor: 1).isTerminal
    )
    var opened = ProtectionReading.unread(Message([]))
    found = try finder.one(words).opened { (message) throws(Explanation) in
      opened = try protection.read(message)
      return opened.message
    }
    reading = opened
    guard var look = InvitationLook(of: reading.message.root, tags: Self.tags(of: found)) else {
      throw Explanation(.data, place: found.place, "the message has no event")
    }
    guard let invitation = look.invitation else {
      throw Explanation(.data, place: found.place, look.problem?.words ?? "no event")
    }
    let senders = SenderLook(context)
    let path = found.file?.path
    isDisowned = senders.verdict(on: reading.message.header, at: path)?.kind == .fail
    let versions = try InvitationVersions(
      of: invitation,
      in: reading.message,
      configuration,
      CharsetDecoder { CharsetConversion.utf8($0, $1) },
      isDisowned: { senders.verdict(on: $0, at: $1)?.kind == .fail }
    )
    look.versions = versions
    (self.look, self.invitation) = (look, invitation)
  }

  private static func tags(of found: MessageFinder.Found) -> [String] {
    found.indexed?.tags.map(\.rawValue) ?? []
  }

  /// The message with a newer version, as people name it; nil where none is known.
  var newer: String? { look.newer }
}
