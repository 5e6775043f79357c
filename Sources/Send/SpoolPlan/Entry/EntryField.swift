/// The fields of an entry's header; the raw value is the name in the file.
enum EntryField: String, CaseIterable {
  case version = "Magnum-Spool"
  case kind = "Kind"
  case id = "Id"
  case account = "Account"
  case queued = "Queued"
  case from = "Envelope-From"
  case to = "Envelope-To"
  /// The address that the recipient above it was given as.
  case original = "Original-To"
  /// What is to be reported about the recipient above it.
  case notify = "Notify"
  case returned = "Return"
  case identifier = "Envelope-Id"
  case blindCopies = "Bcc"
  case label = "Label"
  case notBefore = "Not-Before"
  case then = "Then"
  /// What is to become of the messages below it.
  case change = "Change"
  /// Where the messages below it are, or where a message goes.
  case mailbox = "Mailbox"
  case validity = "Uidvalidity"
  /// Begins a message of the server.
  case uid = "Uid"
  /// The base name of the file of the message above it.
  case baseName = "File"
  case flags = "Flags"
  case date = "Date"
  case messageID = "Message-Id"
  case size = "Size"
  case checksum = "Checksum"
  /// In place of a checksum, of former versions.
  case digest = "Sha256"
}
