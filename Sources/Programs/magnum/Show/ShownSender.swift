internal import Configuration
internal import CommandLine
internal import MIME
internal import Octets
internal import Platform
internal import Terminal

/// Finds what the receiving server of an account said of the senders of its messages.
final class SenderLook {
  private let context: CommandContext
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
  /// A configuration that is missing or wrong knows of no server; few messages have no such field, and those need none.
  private lazy var accounts = (try? context.configuration(isNeeded: false).accounts) ?? []

  init(_ context: CommandContext) {
    self.context = context
  }

  /// The verdict on a message; nil where no server wrote one, or its file lies in no account that believes any.
  func verdict(on message: ShownMessage) -> SenderVerdict? {
    verdict(on: message.message.header, at: message.path)
  }

  /// The verdict on the message of a header in that file.
  func verdict(on header: Header, at path: Path?) -> SenderVerdict? {
    guard header.first("Authentication-Results") != nil, let path,
      let account = accounts.holder(of: (try? FileSystem.realPath(path)) ?? path)
        ?? accounts.holder(of: path)
    else { return nil }
    return SenderVerdict(of: header, by: account.verdictServers, decoder)
  }
}

/// What people and programs are told of it.
extension SenderVerdict {
  /// The line for people; nil where there is nothing to say.
  ///
  /// Nothing that a stranger chose stands in it but a domain, which vouches for the message, or disowns it.
  var line: String? {
    guard let name = (proven ?? domain).map({ Printable.text($0, limit: 255) }) else { return nil }
    switch kind {
    case .pass:
      let proofs = proofs.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
      return "[sender: verified as \(name) (\(proofs))]"
    case .fail: return "[sender: not verified; \(name) says that it did not send this]"
    case .none: return nil
    }
  }

  /// The member `auth`.
  var json: JSONLine {
    var line = JSONLine()
    line.add("verdict", kind.rawValue)
    if let domain { line.add("domain", octets: domain) }
    if let server { line.add("by", octets: server) }
    line.add("methods", results.map(Self.json))
    line.add("marks", marks.map(\.rawValue))
    return line
  }

  private static func json(_ result: MethodResult) -> JSONLine {
    var line = JSONLine()
    line.add("method", octets: result.method)
    line.add("result", octets: result.result)
    if let domain = result.domain { line.add("domain", octets: domain) }
    return line
  }
}
