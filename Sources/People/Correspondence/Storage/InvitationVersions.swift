internal import Archives
package import Configuration
package import Invitations
package import MailModel
package import MIME
internal import Octets
package import Platform
internal import Query
internal import SearchIndex

/// What other messages say of an event.
package struct InvitationVersions: Sendable {
  /// A message with another version of it.
  package struct Version: Sendable {
    package let id: [UInt8]
    package let invitation: Invitation
  }

  /// The newest one before it; nil where none is known.
  package private(set) var earlier: Version?
  /// The newest one after it; nil where none is known.
  package private(set) var newer: Version?
  /// The ids of messages that would be newer, were they not disowned.
  package private(set) var disowned: [[UInt8]] = []

  /// More messages are not looked at, none that is longer, and no more octets of all.
  private static let (limit, sizeLimit, totalLimit) = (200, 4 << 20, 16 << 20)

  /// Looks for them among the messages that the same author or the organizer sent.
  ///
  /// Who knows the UID of an event can write a message with it and a higher SEQUENCE. So a message counts only if it names the same
  /// organizer, and no server that is believed says that it is not of its author.
  ///
  /// - Parameters:
  ///   - invitation: what a message says of the event.
  ///   - message: that message.
  ///   - configuration: the accounts whose mail is looked through.
  ///   - decoder: for charsets.
  ///   - isDisowned: whether a message with that header, in that file, is not of its author.
  /// - Throws: why nothing can be searched for.
  package init(
    of invitation: Invitation,
    in message: Message,
    _ configuration: Configuration,
    _ decoder: CharsetDecoder,
    isDisowned: (Header, Path) -> Bool
  ) throws(Explanation) {
    let organizer = invitation.event.organizer?.address.map { [$0] } ?? []
    let authors = message.header.mailboxes("From", decoder).map(\.address) + organizer
    let people = authors.compactMap { PersonAddress($0)?.authorQuery }
    guard !people.isEmpty else { return }
    let calendars = try configuration.query(Self.calendars, now: 0)
    let set = try explaining(.partial) { () throws(SystemError) in
      try SearchSet(SearchedAccounts(configuration.accounts, named: []), stemming: nil)
    }
    let found: [FoundMessage]
    do throws(IndexError) {
      found = try set.messages(
        .and([calendars, .or(people)]),
        .newestFirst,
        limit: Self.limit
      )
    } catch {
      throw Explanation(error, place: "index")
    }
    var left = Self.totalLimit
    for candidate in found where candidate.id != message.header.messageID?.octets {
      guard let path = candidate.currentPath(),
        let octets = (try? FileSystem.readFile(path, limit: min(Self.sizeLimit, left))) ?? nil
      else { continue }
      left -= octets.count
      let other = Message(octets)
      guard let version = (try? Invitation(of: other.root, decoder, zone: SystemZone.file)) ?? nil
      else { continue }
      add(
        Version(id: candidate.id, invitation: version),
        to: invitation
      ) { isDisowned(other.header, path) }
    }
  }

  private static let calendars = "mimetype:text/calendar or mimetype:application/ics"

  private mutating func add(_ version: Version, to invitation: Invitation, isDisowned: () -> Bool) {
    let (event, other) = (invitation.event, version.invitation.event)
    guard other.isSame(as: event), version.invitation.isOfOrganizer else { return }
    if other.isNewer(than: event) {
      if isDisowned() {
        disowned.append(version.id)
      } else if newer.map({ other.isNewer(than: $0.invitation.event) }) ?? true {
        newer = version
      }
    } else if event.isNewer(than: other),
      earlier.map({ other.isNewer(than: $0.invitation.event) }) ?? true, !isDisowned()
    {
      earlier = version
    }
  }
}
