internal import Octets
internal import SpoolPlan

/// Why an account does not send for a while, in a line.
enum BlockLine {
  static func text(_ block: AccountBlock, _ account: String) -> String {
    let words = Printable.text(block.words)
    let until = String(decoding: Timestamp.octets(block.until), as: UTF8.self)
    let name = Printable.text(account.utf8)
    return switch block.reason {
    case .unreachable: "\(name): not before \(until): \(words)"
    case .secret, .unfit:
      "\(name): stopped: \(words); when that is put right: magnum queue flush \(name)"
    }
  }
}
