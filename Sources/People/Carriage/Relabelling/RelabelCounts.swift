/// What became of the files of a former Maildir.
package struct RelabelCounts: Sendable {
  /// Files that were read; messages, further files of them and those that are left out are as many.
  package internal(set) var read = 0
  package internal(set) var messages = 0
  package internal(set) var copies = 0
  package internal(set) var left = 0
  /// Files that messages got in the new Maildir, and how many of them are no second names.
  package internal(set) var added = 0
  package internal(set) var copied = 0
  /// Files that messages have there already.
  package internal(set) var there = 0
  /// Files that changed or went meanwhile, and have to be linked by another run.
  package internal(set) var changed = 0
  /// Messages that have no folder there.
  package internal(set) var unplaced = 0
  /// Messages whose files had different flags.
  package internal(set) var differing = 0
  /// Removals of files or tags that no sync told the server: what was removed comes back.
  package internal(set) var returning = 0
  /// Octets of the messages, as they go over the wire.
  package internal(set) var octets: UInt64 = 0
  /// Whether it was ended before all was done.
  package internal(set) var isInterrupted = false
}
