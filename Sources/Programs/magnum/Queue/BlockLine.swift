internal import Octets
internal import SpoolPlan
internal import Terminal

/// Why an account does not send for a while, in a line.
enum BlockLine {
  static func text(_ block: SendingBlock, _ account: String, now: Int64) -> String {
    let words = Printable.text(block.words)
    let name = Printable.text(account.utf8)
    return switch block.reason {
    case .unreachable: "\(name): next attempt in \(HumanFormat.age(block.until - now)): \(words)"
    case .secret, .unfit:
      "\(name): stopped: \(words); when that is put right: magnum queue flush \(name)"
    }
  }
}
