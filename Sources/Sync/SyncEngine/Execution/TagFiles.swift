internal import Mailboxes
internal import Maildir
internal import Platform

/// What people did to tags in mailboxes that are seen together, while it is changed.
struct TagFiles {
  private let mailboxes: [OpenMailbox]
  private let before: [UInt64: TagFile]
  private var files: [UInt64: TagFile]

  /// Reads it, under the lock of tags, which is held until it is written.
  init(_ mailboxes: [OpenMailbox]) throws(SystemError) {
    var (each, files): ([OpenMailbox], [UInt64: TagFile]) = ([], [:])
    for mailbox in mailboxes where files[mailbox.mailbox.id] == nil {
      files[mailbox.mailbox.id] = try TagFile.of(mailbox.directory)
      each.append(mailbox)
    }
    (self.mailboxes, before, self.files) = (each, files, files)
  }

  /// The base names of files with tags in a mailbox.
  func bases(in mailbox: OpenMailbox) -> [[UInt8]] {
    (files[mailbox.mailbox.id]?.tags.keys).map(Array.init) ?? []
  }

  /// The tags of a file.
  subscript(mailbox: OpenMailbox, base: [UInt8]) -> TagFile.Tags {
    get { files[mailbox.mailbox.id]?[base: base] ?? TagFile.Tags() }
    set { files[mailbox.mailbox.id]?[base: base] = newValue }
  }

  /// Whether the tags of a file are others than they were.
  func isChanged(_ mailbox: OpenMailbox, _ base: [UInt8]) -> Bool {
    self[mailbox, base] != before[mailbox.mailbox.id]?[base: base] ?? TagFile.Tags()
  }

  /// Makes it durable.
  ///
  /// What files get is written before others lose it: a run that ends in between leaves tags twice, and loses none.
  func write() throws(SystemError) {
    let changed = mailboxes.filter { files[$0.mailbox.id] != before[$0.mailbox.id] }
    guard changed.count > 1 else { return try write(files, over: before, in: changed) }
    var gained = files
    for mailbox in changed {
      let id = mailbox.mailbox.id
      for base in before[id]?.tags.keys ?? [:].keys where self[mailbox, base].isEmpty {
        gained[id]?[base: base] = before[id]?[base: base] ?? TagFile.Tags()
      }
    }
    try write(gained, over: before, in: changed)
    try write(files, over: gained, in: changed)
  }

  private func write(
    _ files: [UInt64: TagFile],
    over former: [UInt64: TagFile],
    in mailboxes: [OpenMailbox]
  ) throws(SystemError) {
    for mailbox in mailboxes {
      guard let now = files[mailbox.mailbox.id], now != former[mailbox.mailbox.id] else { continue }
      try now.write(in: mailbox.directory)
    }
  }
}
