internal import Octets
package import Platform

/// The step that makes delivered messages durable and visible.
package enum MaildirCommit {
  /// Makes messages durable, then gives them their final names, then makes the names durable.
  ///
  /// A crash at any point leaves each message complete in its place, or not in its place at all. No file is
  /// replaced. On return everything that was placed or adopted is durable.
  ///
  /// - Parameters:
  ///   - placements: what shall go where; the Maildirs may differ.
  ///   - few: see ``Unflushed/flush(_:eachUpTo:)``.
  /// - Returns: what became of each, in the same order. Where content could not be flushed, that message is not placed; where a
  ///   directory could not, its messages are in place but may not outlive a crash.
  package static func commit(
    _ placements: [Placement],
    eachUpTo few: Int = Unflushed.few
  ) -> [Placement.Outcome] {
    let contents = Unflushed.flush(
      placements.map { Unflushed(file: $0.message.temporaryPath) },
      eachUpTo: few
    )
    let outcomes = zip(placements, contents).map { placement, error in
      error.map { .failed($0) } ?? place(placement)
    }
    let names = Unflushed.flush(
      zip(placements, outcomes).map { placement, outcome in
        guard outcome.isInPlace else { return Unflushed() }
        return Unflushed(directory: placement.subdirectory.path(in: placement.message.maildir))
      },
      eachUpTo: few
    )
    return zip(outcomes, names).map { outcome, error in error.map { .failed($0) } ?? outcome }
  }

  /// Removes what earlier runs have left in tmp of messages of this mailbox that they fetched.
  ///
  /// Only to be called under the lock of the account.
  ///
  /// - Throws: the error of reading the directory or of unlink(2).
  package static func removeLeftovers(
    in maildir: Path,
    mailbox: UInt64
  ) throws(SystemError) {
    let directory = Subdirectory.tmp.path(in: maildir)
    var leftovers: [[UInt8]] = []
    guard try FileSystem.status(directory) != nil else { return }
    try FileSystem.entries(of: directory) { name, kind in
      let name = Array(name)
      guard kind == .regular, FetchName.key(in: name)?.mailbox == mailbox else { return }
      leftovers.append(name)
    }
    for name in leftovers { try FileSystem.remove(directory.appending(name)) }
  }

  private static func place(_ placement: Placement) -> Placement.Outcome {
    let message = placement.message
    let target = placement.subdirectory.path(in: message.maildir).appending(placement.name.octets)
    do {
      try FileSystem.renameWithoutReplacing(message.temporaryPath, to: target)
      return .placed
    } catch {
      guard error.isAlreadyThere else { return .failed(error) }
      return adopt(target, for: message)
    }
  }

  private static func adopt(_ target: Path, for message: DeliveredMessage) -> Placement.Outcome {
    do throws(SystemError) {
      guard try SameContent.check(target, message.temporaryPath) else { return .collision }
      try FileSystem.synchroniseFile(target)
      try FileSystem.remove(message.temporaryPath)
      return .adopted
    } catch {
      return .failed(error)
    }
  }
}

extension Placement.Outcome {
  /// Whether the message now stands under its final name.
  package var isInPlace: Bool { self == .placed || self == .adopted }
}

/// Where a message in tmp shall go.
package struct Placement: Hashable, Sendable {
  package let message: DeliveredMessage

  /// New or cur of its Maildir.
  package let subdirectory: Subdirectory

  /// Its final name.
  package let name: FileName

  package init(message: DeliveredMessage, subdirectory: Subdirectory, name: FileName) {
    self.message = message
    self.subdirectory = subdirectory
    self.name = name
  }

  /// What became of a placement.
  package enum Outcome: Hashable, Sendable {
    /// The message has its final name.
    case placed

    /// A file of that name with the same octets was there; it stays, and the one in tmp is gone.
    case adopted

    /// Something else bears that name; the message is still in tmp.
    case collision

    /// It could not be made durable or renamed; the message is still in tmp, or in a place that may not outlive a crash.
    case failed(SystemError)
  }
}

/// The comparison of two files, octet by octet.
package enum SameContent {
  /// Whether both are ordinary files with the same octets.
  ///
  /// - Throws: the error of open(2) or read(2).
  package static func check(_ one: Path, _ other: Path) throws(SystemError) -> Bool {
    guard let status = try FileSystem.status(one, followingLinks: false),
      let otherStatus = try FileSystem.status(other, followingLinks: false),
      status.kind == .regular, otherStatus.kind == .regular, status.size == otherStatus.size
    else { return false }
    return try compare(Descriptor.open(one, .read), Descriptor.open(other, .read))
  }

  private static func compare(
    _ one: borrowing Descriptor,
    _ other: borrowing Descriptor
  ) throws(SystemError) -> Bool {
    while true {
      let run = try nextRun(of: one)
      guard try nextRun(of: other) == run else { return false }
      if run.isEmpty { return true }
    }
  }

  private static func nextRun(of file: borrowing Descriptor) throws(SystemError) -> [UInt8] {
    try file.read(atMost: 64 * 1024)
  }
}
