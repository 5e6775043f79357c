/// What a store asks a server for, as replies that refuse it are told.
package enum MailboxCommand: String, Hashable, Sendable, CustomStringConvertible {
  case enable = "ENABLE"
  case list = "LIST"
  case create = "CREATE"
  case delete = "DELETE"
  case select = "SELECT"
  case examine = "EXAMINE"
  case search = "UID SEARCH"
  case fetch = "UID FETCH"
  case store = "STORE"
  case expunge = "EXPUNGE"
  case copy = "COPY"
  case move = "MOVE"
  case append = "APPEND"

  /// The word of IMAP for it.
  package var description: String { rawValue }

  /// Whether it opens a mailbox.
  package var opensMailbox: Bool { self == .select || self == .examine }
}
