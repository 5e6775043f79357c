package import MailModel
package import Maildir
package import Platform

/// What rules did to messages that came.
package struct SortedArrivals: Sendable {
  /// Where a message lies now, and what did that.
  package struct Place: Sendable {
    /// The Maildir of its file.
    package let maildir: Path
    /// What people call the folder.
    package let folder: String
    package let file: ScannedFile
    /// The rules that did something to it, in their order.
    package let rules: [String]
    /// Whether rules had it put out of the way: into Junk or Trash, marked as read, or muted.
    package let isQuiet: Bool
  }

  /// By the Maildir that each came to, and its base name.
  private var places: [Path: [[UInt8]: Place]] = [:]
  /// The rules that did something, in their order.
  package internal(set) var rules: [String] = []
  /// What could not be done, and why.
  package internal(set) var problems: [Explanation] = []

  /// Nothing yet.
  package init() {}

  /// How many messages rules did something to.
  package var count: Int { places.values.reduce(0) { $0 + $1.count } }

  /// Where the message is whose file came to a Maildir; nil where no rule did anything to it.
  package func place(of file: ScannedFile, in maildir: Path) -> Place? {
    places[maildir]?[file.name.base]
  }

  mutating func add(_ place: Place, of base: [UInt8], in maildir: Path) {
    places[maildir, default: [:]][base] = place
  }
}
