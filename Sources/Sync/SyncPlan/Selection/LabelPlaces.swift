internal import MailModel
internal import Octets

/// What the folders of a Maildir stand for where labels are tags, and which mailbox is for what.
package struct LabelPlaces {
  private let places: [[[UInt8]]: LabelPlace]
  private let directories: [LabelPlace.Meaning: [UInt8]]
  /// The levels above the mailbox of all mail, with which the server's own mailboxes begin.
  private let own: [[UInt8]]

  /// By the mailboxes of the server.
  package init(_ places: [LabelPlace]) {
    self.places = Dictionary(first: places.map { ($0.levels, $0) })
    directories = Dictionary(
      first: places.compactMap { place in place.directory.map { (place.meaning, $0) } }
    )
    own = places.first { $0.meaning == .all }.map { $0.levels.dropLast() } ?? []
  }

  /// What messages have in the folder of these levels; one that the server does not list counts by its name.
  package func meaning(of levels: [[UInt8]]) -> LabelPlace.Meaning {
    if let place = places[levels] { return place.meaning }
    if levels == [[UInt8](ascii: "INBOX")] { return .tag(TagName.inbox) }
    if !own.isEmpty, levels.starts(with: own) {
      let last = levels.last ?? []
      if RoleFinder.isName(last, of: .drafts) { return .drafts }
      return RoleFinder.isName(last, of: .sent) ? .tag([UInt8](ascii: "sent")) : .other
    }
    let name = [UInt8](levels.joined(separator: [ASCII.slash]))
    guard let label = ModifiedUTF7.encode(name), case .tag(let tag) = LabelMeaning(label: label)
    else { return .other }
    return .tag(tag)
  }

  /// The Maildir for messages that have that, relative to the root; nil where there is none.
  package func directory(for meaning: LabelPlace.Meaning) -> [UInt8]? { directories[meaning] }

  /// All Maildirs that may get messages.
  package var all: Set<[UInt8]> { Set(directories.values) }
}
