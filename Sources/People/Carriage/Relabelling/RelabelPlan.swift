internal import Maildir
internal import MailModel
internal import Octets
internal import RestorePlan
internal import SyncPlan

/// Decides which folders the messages of a former Maildir go to, and under which names.
///
/// The server is right about labels: only what people did here that it does not know is taken along. A file keeps the name that
/// tells that it was on the server, so that the next sync finds its message, and does not upload what the server lost. What
/// is to become a label there gets a name of its own.
struct RelabelPlan {
  /// A file that a message gets.
  struct Step {
    let key: CopyKey
    let copy: RelabelledMessage.Copy
    /// The Maildir, relative to the root.
    let directory: [UInt8]
    /// The base name; nil is a new one.
    let base: [UInt8]?
    let flags: SystemFlags
    let tags: TagFile.Tags
  }

  private(set) var steps: [Step] = []
  /// Messages that have no folder.
  private(set) var unplaced = 0
  /// Removals of labels that the server does not know, and is not told of.
  private(set) var returning = 0

  private let style: LabelStyle
  private let places: LabelPlaces
  private let folders: [LabelPlace.Meaning]

  /// A plan for an account of that style; `folders` is what messages have by the former folders.
  init(_ style: LabelStyle, _ places: LabelPlaces, folders: [LabelPlace.Meaning]) {
    (self.style, self.places, self.folders) = (style, places, folders)
  }

  /// Notes that a message was removed from folders; where it was put into another one, it loses what these stood for.
  ///
  /// What was only removed comes back: nothing here shows that a person meant that.
  mutating func add(_ message: inout RelabelledMessage, removedFrom meaning: LabelPlace.Meaning) {
    let isMoved = message.copies.contains { copy in
      guard !copy.isRecorded, case .tag = folders[copy.folder] else { return false }
      return true
    }
    guard style == .tags, isMoved, case .tag(let tag) = meaning else { return returning += 1 }
    message.changes.change(
      adding: [],
      removing: [tag],
      beside: [tag],
      isOwn: false,
      mayBeTold: false
    )
  }

  /// Plans a message.
  mutating func add(_ message: RelabelledMessage) {
    guard let best = message.best else { return }
    let count = steps.count
    if let directory = outside(message) {
      place(message, best, directory, isNew: message.isNew, message.changes)
    } else {
      switch style {
      case .tags: tag(message, best)
      case .folders: spread(message, best)
      }
    }
    if steps.count == count { unplaced += 1 }
  }

  /// The folder of a message that is in Trash or Spam alone; nil for any other, and for one that the server has elsewhere.
  private func outside(_ message: RelabelledMessage) -> [UInt8]? {
    let meanings = message.copies.map { folders[$0.folder] }
    guard meanings.allSatisfy({ $0 == .trash || $0 == .junk }),
      message.isNew || message.copies.contains(where: \.isRecorded)
    else { return nil }
    return meanings.first.flatMap { places.directory(for: $0) }
  }

  private mutating func place(
    _ message: RelabelledMessage,
    _ copy: RelabelledMessage.Copy,
    _ directory: [UInt8],
    isNew: Bool,
    _ tags: TagFile.Tags
  ) {
    // The name of a file that no server had means nothing: it stays.
    let keepsName = !isNew || message.isNew
    steps.append(
      Step(
        key: message.key,
        copy: copy,
        directory: directory,
        base: keepsName ? copy.file.name.base : nil,
        flags: message.flags,
        tags: tags
      )
    )
  }

  // MARK: Labels as tags

  private mutating func tag(_ message: RelabelledMessage, _ best: RelabelledMessage.Copy) {
    guard let directory = places.directory(for: .all) else { return }
    var tags = message.changes
    for copy in message.copies where !copy.isRecorded {
      guard case .tag(let tag) = folders[copy.folder] else { continue }
      tags.change(adding: [tag], removing: [], beside: [], isOwn: false, mayBeTold: false)
    }
    place(message, best, directory, isNew: message.isNew, tags)
  }

  // MARK: Labels as folders

  private mutating func spread(_ message: RelabelledMessage, _ best: RelabelledMessage.Copy) {
    var seen: Set<[UInt8]> = []
    var tags = message.changes
    for tag in message.agreed {
      guard let directory = places.directory(for: .tag(tag.map { ASCII.lowercased($0) })) else {
        continue
      }
      if tags.removed.contains(where: { $0.equalsCaseless(tag) }) {
        tags.drop(added: [], removed: [tag])
        returning += 1
      } else if seen.insert(directory).inserted {
        place(message, best, directory, isNew: message.isNew, TagFile.Tags())
      }
    }
    if message.flags.contains(.draft), let directory = places.directory(for: .drafts),
      seen.insert(directory).inserted
    {
      place(message, best, directory, isNew: message.isNew, TagFile.Tags())
    }
    if let directory = places.directory(for: .all), seen.insert(directory).inserted {
      place(message, best, directory, isNew: message.isNew, TagFile.Tags())
    }
    for tag in tags.added + tags.own {
      guard let directory = places.directory(for: .tag(tag.map { ASCII.lowercased($0) })) else {
        continue
      }
      tags.added.removeAll { $0.equalsCaseless(tag) }
      tags.own.removeAll { $0.equalsCaseless(tag) }
      if seen.insert(directory).inserted {
        place(message, best, directory, isNew: true, TagFile.Tags())
      }
    }
    carry(tags, behind: message)
  }

  /// Tags without a folder are those of all files of the message.
  private mutating func carry(_ tags: TagFile.Tags, behind message: RelabelledMessage) {
    guard !tags.isEmpty else { return }
    for place in steps.indices.reversed() {
      guard steps[place].key == message.key else { break }
      let step = steps[place]
      steps[place] = Step(
        key: step.key,
        copy: step.copy,
        directory: step.directory,
        base: step.base,
        flags: step.flags,
        tags: tags
      )
    }
  }
}
