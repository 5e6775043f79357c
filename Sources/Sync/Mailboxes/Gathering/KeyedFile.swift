internal import Maildir

/// A file whose name says which message of which mailbox it is.
struct KeyedFile {
  /// The base name.
  let name: [UInt8]
  /// The mailbox in whose Maildir it lies.
  let holder: OpenMailbox
  let key: MessageKey

  /// The file of that base name in the Maildir; nil where the name has no key, or says that the file is detached.
  init?(_ name: [UInt8], in holder: OpenMailbox) {
    guard !DetachedName.isOne(name), let key = MessageKey(baseName: name) else { return nil }
    self.name = name
    self.holder = holder
    self.key = key
  }
}
