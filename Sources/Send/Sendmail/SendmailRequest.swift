internal import Octets
package import SMTP

/// What a command line of sendmail asks for.
package struct SendmailRequest: Hashable, Sendable {
  /// What is to be done.
  package enum Mode: Hashable, Sendable {
    /// Take a message and send it.
    case deliver
    /// Say what would become of the recipients (`-bv`).
    case verify
    /// Show the queue (`mailq`, `-bp`).
    case listQueue
    /// Work on the queue; on the entries whose name contains these octets, or on all (`-q`, `-qI`).
    case runQueue(matching: [UInt8]?)
    /// Nothing at all (`newaliases`, `-bi`): aliases are read when they are needed.
    case rebuildAliases
    /// Say what the server offers (`--serverinfo`, `-S`).
    case showServer
    case showHelp
    case showVersion
  }

  /// When the message is sent.
  package enum Delivery: Hashable, Sendable {
    /// It is tried at once; what cannot be sent now waits in the queue.
    case attempted
    /// It is tried at once, and the exit status tells what came of it (`-odi`, `--wait`).
    case awaited
    /// It goes into the queue (`-odq`, `-odd`, `--no-try`).
    case queued
  }

  /// The sender in the envelope, as it was given.
  package enum Sender: Hashable, Sendable {
    /// None was given.
    case unspecified
    /// `<>`: no reports of failures are wanted.
    case null
    /// An address, or a bare name.
    case address([UInt8])

    /// The sender that a value of `-f` means; an empty one is none.
    init(_ value: [UInt8]) {
      var address = value[...]
      if address.first == ASCII.lessThan, address.last == ASCII.greaterThan, address.count >= 2 {
        address = address.dropFirst().dropLast()
      }
      self = address.isEmpty ? .null : .address([UInt8](address))
    }
  }

  /// What is to be done.
  package var mode = Mode.deliver

  /// When the message is sent.
  package var delivery = Delivery.attempted

  /// The sender in the envelope (`-f`, `-r`).
  package var sender = Sender.unspecified

  /// Whether the recipients are those in the header of the message (`-t`), besides those below.
  package var readsRecipients = false

  /// Whether a line with a single dot belongs to the message (`-i`); only asked on a terminal.
  package var ignoresDots = false

  /// The name of the sender, for a From field that has to be made (`-F`); `nil` for none.
  package var fullName: [UInt8]?

  /// The recipients on the command line.
  package var recipients: [[UInt8]] = []

  /// When to report about the delivery (`-N`); `nil` leaves it to the server.
  package var notification: Notification?

  /// How much of the message a report contains (`-R`); `nil` leaves it to the server.
  package var returned: ReturnedContent?

  /// The name of the sending in reports (`-V`); `nil` for none.
  package var identifier: [UInt8]?

  /// A word for the log of deliveries (`-L`); `nil` for none.
  package var label: [UInt8]?

  /// The moment before which it is not sent (`--at`), as it was given; `nil` for at once.
  package var moment: [UInt8]?

  /// Whether nothing is said of a message that waits in the queue and is tried again without a person (`-oeq`).
  package var isQuiet = false

  /// Whether the conversation with the server is to be shown (`-v`).
  package var isVerbose = false

  /// The configuration file (`--config`, `-C`); `nil` for the usual ones.
  package var configuration: [UInt8]?

  /// The account (`--account`); `nil` to choose by the sender.
  package var account: [UInt8]?

  /// The server whose account is meant (`--host`); `nil` to choose otherwise.
  package var host: [UInt8]?

  /// Whether the field From says who the sender is, whatever else does (`--read-envelope-from`).
  package var readsSender = false

  /// Whether only to say what would be done (`--dry-run`).
  package var isDryRun = false

  /// A request to send a message, and nothing else said.
  package init() {}
}
