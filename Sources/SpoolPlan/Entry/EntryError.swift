/// Why octets are no entry that can be worked on.
package enum EntryError: Error, Hashable, Sendable {
  /// They do not begin like an entry.
  case notAnEntry

  /// A later version of the program wrote it; it is left alone.
  case unknownVersion([UInt8])

  /// A line of the header, counted from 1, that cannot be understood.
  case malformed(line: Int)

  /// A field that has to be there is missing.
  case missing(String)

  /// It is of the queue of another account.
  case otherAccount(String)

  /// The message is not the one that the header speaks of.
  case messageDiffers
}
