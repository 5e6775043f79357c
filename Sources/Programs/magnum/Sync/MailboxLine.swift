internal import MailModel
internal import Octets
internal import SyncEngine
internal import SyncPlan
internal import Syncing
internal import Terminal

/// A line of the list of mailboxes.
struct MailboxLine {
  private let mailbox: ListedMailbox
  private let account: String

  init(_ mailbox: ListedMailbox, account: String) {
    self.mailbox = mailbox
    self.account = account
  }

  /// `work/Lists/swift` with its role, or why it is not mirrored, behind a tab.
  var text: [UInt8] {
    var notes: [String] = []
    if let role = mailbox.role { notes.append(role.rawValue) }
    if !mailbox.isSelectable {
      notes.append("holds no messages")
    } else if !mailbox.isMirrored {
      notes.append("not mirrored")
    }
    let name = "\(account)/\(Printable.text(mailbox.name))"
    let line = notes.isEmpty ? name : "\(name)\t\(notes.joined(separator: ", "))"
    return Array(line.utf8) + [ASCII.lineFeed]
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", ReportForm.version)
    line.add("account", account)
    line.add("mailbox", octets: mailbox.name)
    line.add("role", ifPresent: mailbox.role?.rawValue)
    line.add("selectable", mailbox.isSelectable)
    line.add("mirrored", mailbox.isMirrored)
    if let messages = mailbox.messages { line.add("messages", messages) }
    return line
  }
}
