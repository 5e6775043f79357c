/// An option with two dashes, which sendmail does not have: its one definition, for parser and help.
package struct LongOption: Sendable {
  /// The name: `--account`.
  package let name: String
  /// The letters that mean the same, as help shows them; empty where there are none.
  package let letters: String
  /// The name of the value; `nil` for an option without one.
  package let value: String?
  /// What it does.
  package let help: String
  /// Sets what it stands for.
  let apply: @Sendable (inout SendmailRequest, [UInt8]) -> Void

  private init(
    _ name: String,
    letters: String = "",
    value: String? = nil,
    _ help: String,
    apply: @escaping @Sendable (inout SendmailRequest, [UInt8]) -> Void
  ) {
    self.name = name
    self.letters = letters
    self.value = value
    self.help = help
    self.apply = apply
  }

  /// All of them, in the order of help.
  package static let all: [LongOption] = [
    LongOption("--no-try", letters: "-odq", "only put it into the queue") { request, _ in
      request.delivery = .queued
    },
    LongOption(
      "--wait",
      letters: "-odi",
      "wait, and exit with status 65 if it is refused"
    ) { request, _ in
      request.delivery = .awaited
    },
    LongOption("--at", value: "TIME", "not before that time, such as 18:30 or +5m") {
      request,
      value in
      request.moment = value
    },
    LongOption("--account", letters: "-a", value: "NAME", "send with this account") {
      request,
      value in
      request.account = value
    },
    LongOption("--host", value: "HOST", "send with the account that uses this server") {
      request,
      value in
      request.host = value
    },
    LongOption("--from", letters: "-f", value: "ADDRESS", "the sender; an empty one for none") {
      request,
      value in
      request.sender = SendmailRequest.Sender(value)
    },
    LongOption("--read-envelope-from", "take the sender from the field From") { request, _ in
      request.readsSender = true
    },
    LongOption("--read-recipients", letters: "-t", "read the recipients from To, Cc and Bcc") {
      request,
      _ in
      request.readsRecipients = true
    },
    LongOption("--config", value: "FILE", "read this configuration file") { request, value in
      request.configuration = value
    },
    // The program looks for it before it reads the others, whose mistakes are JSON then, too.
    LongOption("--json", "write each line on standard error as a JSON object") { _, _ in },
    LongOption("--dry-run", letters: "-P", "print what would be sent to whom") { request, _ in
      request.isDryRun = true
    },
    LongOption("--pretend", "the same as --dry-run") { request, _ in request.isDryRun = true },
    LongOption("--serverinfo", letters: "-S", "print what the server offers, and send nothing") {
      request,
      _ in
      request.mode = .showServer
    },
    LongOption("--help", "print this help") { request, _ in request.mode = .showHelp },
    LongOption("--version", "print the version") { request, _ in request.mode = .showVersion },
  ]
}
