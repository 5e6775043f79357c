package import Platform

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

    /// It could not be renamed; the message is still in tmp.
    case failed(SystemError)
  }
}
