internal import Octets
internal import Sendmail

/// What the program says.
enum SendWords {
  static let help = """
    usage: magnum-send [options] [--] [recipient ...] < message
    Takes a message, keeps it until it is sent, and sends it at once if that can be.

      -t                read the recipients from To, Cc and Bcc
      -i                a line with a single dot does not end the message
      -f ADDRESS        the sender; an empty one for none
      -F NAME           the sender's name, for a message without From
      -N WHEN, -R WHAT, -V ID   what reports are wanted
      -odq, --no-try    only put it into the queue
      -odi, --wait      say in the exit status whether it was refused
      -v                show the conversation with the server
      --account NAME    send with this account
      --config FILE     read this configuration file
      --dry-run         say what would be sent to whom
      -bp               show the queue; also by the name mailq
      -q                send what is in the queue; also by the name runq
      --help, --version

    All other options of sendmail are accepted. See magnum-send(1).
    """

  static func text(_ error: UsageError) -> String {
    switch error {
    case .unknownOption(let option): "unknown option \(shown(option))"
    case .missingValue(let option): "\(shown(option)) wants a value"
    case .badValue(let option, let value): "\(shown(option)) does not take \"\(shown(value))\""
    case .unexpectedValue(let option): "\(shown(option)) takes no value"
    case .unsupported(let option): "\(shown(option)) is not supported"
    }
  }

  static func text(_ error: LetterError) -> String {
    switch error {
    case .forbiddenOctet(0, let line): "line \(line) of the header holds a NUL"
    case .forbiddenOctet(_, let line): "line \(line) of the header holds a CR without LF"
    case .longHeaderLine(let line): "line \(line) of the header is longer than 998 octets"
    case .unfitBody(let line):
      "line \(line) holds a CR without LF, a NUL, or more than 998 octets, and cannot be changed"
    case .badAddress(let octets): "\"\(shown(octets))\" is no address that can be sent to"
    case .aliasLoop(let name): "the alias \(shown(name)) leads to itself"
    case .unknownNames, .noRecipients: "\(error)"
    }
  }

  private static func shown(_ octets: [UInt8]) -> String { Printable.text(octets, limit: 100) }
}
