internal import Sendmail

/// What `magnum-send --help` prints: the letters of sendmail, and the options of the one table.
enum SendHelp {
  /// The options of sendmail that do something here.
  static let letters = [
    ("-i", "a line with a single dot does not end the message"),
    ("-r ADDRESS", "the same as -f"),
    ("-F NAME", "the sender's name, for a message without From"),
    ("-N WHEN, -R WHAT, -V ID", "which reports are requested"),
    ("-L TAG", "a word for the log of deliveries"),
    ("-oeq", "say nothing of a message that waits in the queue"),
    ("-v", "print the conversation with the server"),
    ("-bp", "print the queue; also by the name mailq"),
    ("-bv", "the same as --dry-run"),
    ("-C FILE", "the same as --config"),
    ("-q", "send what is in the queue; also by the name runq"),
  ]

  static var text: String {
    let head = """
      usage: magnum-send [options] [--] [recipient ...] < message
      Takes a message, keeps it until it is sent, and sends it at once if possible.

      """
    let own = LongOption.all.map { option in
      let names = option.letters.isEmpty ? option.name : "\(option.letters), \(option.name)"
      return (names + (option.value.map { " \($0)" } ?? ""), option.help)
    }
    let lines = (letters + own).map(line)
    let tail = "\nAll other options of sendmail are accepted. See magnum-send(1)."
    return ([head] + lines + [tail]).joined(separator: "\n")
  }

  private static func line(_ label: String, _ help: String) -> String {
    "  " + label + String(repeating: " ", count: max(2, 26 - label.utf8.count)) + help
  }
}
