internal import MailModel
internal import Octets
internal import Platform
internal import SyncPlan
internal import Terminal

/// What is wrong with a mailbox, in words.
struct MailboxWords {
  private let problem: MailboxProblem
  private let account: String
  private let mailbox: String?

  init(_ problem: MailboxProblem, account: String, mailbox: String?) {
    self.problem = problem
    self.account = account
    self.mailbox = mailbox
  }

  var words: (what: String, hint: String?) {
    switch problem {
    case .identityChanged(let old, let new):
      (Self.change(from: old, to: new) + " while the run was under way; the next run goes on", nil)
    case .listIncomplete(let missing, let total):
      ("the server left out \(missing) of its \(total) messages; nothing is removed here", nil)
    case .noValidity([]):
      ("the server gives no UIDVALIDITY; the mailbox cannot be mirrored", nil)
    case .noValidity(let told):
      (
        "the server gives UIDVALIDITY \(Printable.text(told)), which is no number from 1 to 4294967295; "
          + "the mailbox cannot be mirrored",
        "exclude the mailbox, or ask the operator of the server"
      )
    case .directoryMissing(let path):
      (
        "its folder \(path.display) is gone; left alone",
        "put it back, or exclude the mailbox, or fetch it anew: magnum-sync --fetch-again \(target)"
      )
    case .directoryTaken(let path):
      (
        "its folder \(path.display) belongs to another mailbox; neither is mixed with the other",
        "exclude one of the two in the configuration"
      )
    case .unusableName: ("no folder can be made of this name", "exclude the mailbox")
    case .unusableNameThere:
      ("the server could not hold a mailbox of this name", "rename the folder")
    case .renameRefused(let old):
      ("the folder was \(old) before; the server did not rename its mailbox", nil)
    case .unknownFolder(let path):
      (
        "\(path.display) was synced before, but the server has no mailbox of its name; not uploaded",
        "rename the folder to what the server calls it (magnum-sync --list-mailboxes \(account)), or, "
          + "to upload it, to any other name"
      )
    case .goneFromServer(let path):
      (
        "the server no longer has this mailbox; its folder stays as it is",
        "to upload it as a new mailbox, remove \(path.display)/.magnum-id; remove \(path.display) only "
          + "if nothing in it is needed"
      )
    case .folderElsewhere(let path):
      (
        "its folder is \(path.display) now; the mailbox was not renamed, and is left alone",
        "choose a name that is free on the server, or rename the folder back"
      )
    case .renamedThere(let name, let path):
      (
        "the server calls it \(name) now; it is synced with its folder \(path.display) as before",
        "rename the folder, if it is to be called so too"
      )
    case .folderRefused(let path, let obstacle): Self.refused(path, obstacle)
    case .noRoom(let messages, let octets, let free): Self.noRoom(messages, octets, free)
    case .massDeletion(let count, let total, let isHere):
      (
        isHere
          ? "\(count) of \(total) messages were removed here; they stay on the server"
          : "the server deleted \(count) of \(total) messages; they are kept here",
        "if this is right: magnum-sync --allow-mass-delete \(target) \(account)"
          + (isHere ? "; if not: magnum-sync --fetch-again \(target)" : "")
      )
    case .blocked(let count, let cause, let folder):
      (
        "\(count) change\(count == 1 ? "" : "s") made here cannot be carried out: \(cause.rawValue)"
          + (folder.map { ", \($0.display)" } ?? ""),
        "to see which, run: magnum-sync -v \(target)"
      )
    case .folderLimit(let messages):
      (
        "the server shows \(messages) messages, which looks like a limit; left alone: each new message would hide an "
          + "old one, which would count as deleted",
        "in the settings of Gmail, under Forwarding and POP/IMAP, do not limit the number of messages in a folder"
      )
    case .otherTrash(let name): ("\(name.what); nothing is removed there", name.hint(account))
    case .noTrash:
      (
        "the server has no mailbox for removed messages and makes none; nothing is removed there",
        "name one: [account.\(account).roles] trash = \"…\", or set on-local-delete"
      )
    }
  }

  private static func change(from old: MailboxIdentity, to new: MailboxIdentity) -> String {
    guard let before = old.validity, let now = new.validity, before != now else {
      return "the server gave its name to another mailbox"
    }
    return "UIDVALIDITY changed from \(before) to \(now)"
  }

  private static func noRoom(
    _ messages: UInt64,
    _ octets: UInt64,
    _ free: UInt64
  ) -> (what: String, hint: String?) {
    let count =
      HumanFormat.count(Int(clamping: messages)) + (messages == 1 ? " message" : " messages")
    let (size, rest) = (HumanFormat.bytes(octets), HumanFormat.bytes(free))
    return (
      "there is no room for the attachments of \(count), \(size): the disk has \(rest) free, of which "
        + "64 MB are left for new mail",
      "make room and run again, or set size-limit"
    )
  }

  private static func refused(_ path: Path, _ obstacle: FolderObstacle) -> (String, String?) {
    let hint = "rename the folder, or exclude it in the configuration"
    return switch obstacle {
    case .noName: ("\(path.display) is no folder of this layout; not uploaded", hint)
    case .hidden: ("the name of \(path.display) begins with a dot; not uploaded", hint)
    case .inboxSpelling:
      ("servers take the name of \(path.display) for INBOX; not uploaded", hint)
    case .nameExists:
      ("the mailbox of the name of \(path.display) has another folder; not uploaded", hint)
    case .otherName:
      ("the server gave the mailbox of \(path.display) another name; not uploaded", hint)
    }
  }

  /// As a word for the shell, whatever the server calls its mailbox.
  private var target: String { ShellWord.inQuotes("\(account)/\(mailbox ?? "*")") }
}
