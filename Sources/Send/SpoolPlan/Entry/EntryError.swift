/// Why octets are no entry that can be worked on.
package enum EntryError: Error, Hashable, Sendable {
  /// They do not begin like an entry.
  case notAnEntry

  /// A later version of the program wrote it; it is left alone.
  case unknownVersion([UInt8])

  /// Of a kind of before the first release, when an entry was about one message of the server.
  case formerKind(String)

  /// A line of the header, counted from 1, that cannot be understood.
  case malformed(line: Int)

  /// A field that has to be there is missing.
  case missing(String)

  /// It is of the queue of another account.
  case otherAccount(String)

  /// The message is not the one that the header speaks of.
  case messageDiffers
}
