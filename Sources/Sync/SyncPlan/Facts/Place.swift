/// A file and the mailbox in whose Maildir it lies.
struct Place: Hashable {
  let mailbox: UInt64
  let file: LocalFile
}
