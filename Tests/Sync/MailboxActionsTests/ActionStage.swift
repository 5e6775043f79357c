import Configuration
import Glibc
import MailModel
import MailStore
import MailboxActions
import MemoryStore
import Platform
import SyncState
import TestSupport

/// An account that was never synced, on a server in memory.
struct ActionStage {
  let folder: TempDirectory
  let server: MemoryServer
  let account: Account

  init(_ abilities: MemoryAbilities = MemoryAbilities()) throws {
    folder = try TempDirectory("actions")
    server = try MemoryServer(abilities, file: Path(folder["server"]))
    try folder.writeConfiguration("")
    let path = Path(folder["config.toml"])
    account = try Configuration.load(explicit: path).accounts[0]
  }

  /// A connection to the server.
  func connection() -> AccountConnection {
    AccountConnection(account, of: [account], isForced: true, server: server) { _ in }
  }

  /// Puts a message into INBOX; gives how it is named.
  func message(_ id: String) throws -> MessageReference {
    let octets = Self.octets(id)
    let (validity, uid) = try server.change { content in
      let uid = content.mailboxes["INBOX"]?.add(octets, flags: [], date: 1_000_000_000) ?? 0
      return (content.mailboxes["INBOX"]?.validity ?? 0, uid)
    }
    return MessageReference(
      mailbox: Array("INBOX".utf8),
      validity: validity,
      uid: uid,
      baseName: nil,
      messageID: Array("<\(id)>".utf8)
    )
  }

  static func octets(_ id: String) -> [UInt8] {
    Array("Message-ID: <\(id)>\r\nSubject: \(id)\r\n\r\ntext of \(id)\r\n".utf8)
  }

  /// The messages of a mailbox, each as its subject and its flags.
  func lines(_ mailbox: String) -> [String] {
    server.read { content in
      let messages = content.mailboxes[mailbox]?.messages.sorted { $0.key < $1.key } ?? []
      return messages.map { _, message in
        let text = String(decoding: message.octets, as: UTF8.self)
        let subject = text.split(separator: "Subject: ")[1].prefix { $0 != "\r\n" }
        return ([String(subject)] + message.flags.sorted()).joined(separator: " ")
      }
    }
  }
}
