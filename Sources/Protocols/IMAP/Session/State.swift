package import MailModel

/// Where a session stands (RFC 9051 §3), and the only places where that changes.
///
/// Rule 1. A session starts in `greeting`. `OK` leads to `notAuthenticated`, `PREAUTH` to
///         `authenticated`, `BYE` to `logout`.
/// Rule 2. Tagged replies move it, untagged data never does, except Rules 5 and 6.
/// Rule 3. `OK` to LOGIN or AUTHENTICATE leads from `notAuthenticated` to `authenticated`.
/// Rule 4. `OK` to SELECT or EXAMINE leads to `selected` with that mailbox. `NO` leads back to
///         `authenticated`, for the server leaves the old mailbox before it tries the new one;
///         `BAD` changes nothing, for the server did not understand. SELECTs under way are
///         independent: each reply is judged by its own tag.
/// Rule 5. `[CLOSED]` leads from `selected` to `authenticated`: what follows is about the mailbox
///         whose SELECT is being answered (RFC 7162 §3.2.11). So does `OK` to UNSELECT.
/// Rule 6. `BYE` leads to `logout` from anywhere, and nothing leads out of it.
package enum State: Hashable, Sendable {
  /// Nothing was received yet.
  case greeting
  /// The server wants to know who we are.
  case notAuthenticated
  /// No mailbox is open.
  case authenticated
  /// A mailbox is open; `isReadOnly` after EXAMINE, or when the server said `[READ-ONLY]`.
  case selected(MailboxName, isReadOnly: Bool)
  /// The server said good-bye.
  case logout

  /// Rule 1.
  mutating func greeted(_ status: StatusResponse) {
    switch status.kind {
    case .ok: self = .notAuthenticated
    case .preauth: self = .authenticated
    case .no, .bad, .bye: self = .logout
    }
  }

  /// Rules 3, 4 and 5.
  mutating func completed(_ command: OpenCommand.Kind, _ status: StatusResponse) {
    guard self != .logout else { return }
    switch (command, status.kind) {
    case (.authentication, .ok):
      if self == .notAuthenticated { self = .authenticated }
    case (.selection(let mailbox, let isExamining), .ok):
      self = .selected(mailbox, isReadOnly: isExamining || status.code == .readOnly)
    case (.selection, .no), (.unselect, .ok):
      leaveMailbox()
    default: break
    }
  }

  /// Rules 5 and 6.
  mutating func received(untagged status: StatusResponse) {
    if status.kind == .bye { self = .logout }
    if status.code == .closed { leaveMailbox() }
  }

  private mutating func leaveMailbox() {
    if case .selected = self { self = .authenticated }
  }
}
