package import MailModel
internal import Octets

extension TrustedServers {
  /// The fields that count: those of the servers down to the next Received, the newest first.
  func reports(in header: Header) -> [AuthenticationResults] {
    var (received, reports): (Int, [AuthenticationResults]) = (0, [])
    for field in header.fields {
      if field.isNamed("Received") {
        if !reports.isEmpty || received == hops { break }
        received += 1
      }
      guard field.isNamed("Authentication-Results"), let report = AuthenticationResults(field.body),
        names.contains(report.server)
      else { continue }
      reports.append(report)
    }
    return reports
  }
}

/// What the receiving server found out about who sent a message.
package struct SenderVerdict: Hashable, Sendable {
  /// What is known of the domain in From.
  package enum Kind: String, Hashable, Sendable {
    /// The domain vouches for the message.
    case pass
    /// The domain says that it did not send it.
    case fail
    /// Neither; that is no reproach, since lists and forwarders break signatures.
    case none
  }

  /// What may mislead readers of From.
  package enum Mark: String, Hashable, Sendable {
    /// The name for people holds an address of another domain.
    case nameIsAnotherAddress = "name-is-another-address"
    /// The name is that of a correspondent, and the address one of which nothing is known.
    case newAddress = "new-address"
  }

  package let kind: Kind

  /// The domain of the one address in From, in lower case; nil where there is not just one, and where it is no name of a host.
  package let domain: [UInt8]?

  /// The name of the server that said so, in lower case; nil where none that is trusted said anything.
  package let server: [UInt8]?

  /// What it checked: of each method, the results of the topmost field that has one.
  package let results: [MethodResult]

  /// What people have to know of From beside that.
  package private(set) var marks: [Mark]

  /// The verdict of the servers that are trusted; nil where there are none.
  package init?(of header: Header, by servers: TrustedServers, _ decoder: CharsetDecoder) {
    guard !servers.names.isEmpty else { return nil }
    self.init(servers.reports(in: header), of: header, decoder)
  }

  /// The verdict by the fields that count, the newest first.
  init(_ reports: [AuthenticationResults], of header: Header, _ decoder: CharsetDecoder) {
    let senders = header.mailboxes("From", decoder)
    let isOne = header.all("From").count == 1 && senders.count == 1
    domain = isOne ? senders.first.flatMap { Self.domain($0) } : nil
    server = reports.first?.server
    results = Self.topmost(reports)
    kind = Self.kind(results, domain)
    marks = senders.contains(where: Self.isNamedOtherwise) ? [.nameIsAnotherAddress] : []
  }

  /// Adds what other mail tells of From.
  package mutating func add(_ mark: Mark) { marks.append(mark) }

  /// The methods that made it pass, in upper case as people write them; empty where it did not.
  package var proofs: [[UInt8]] {
    guard kind == .pass, let domain else { return [] }
    var proofs: [[UInt8]] = []
    for result in results where Self.proves(result, domain) {
      let name = result.method.map(ASCII.uppercased)
      if !proofs.contains(name) { proofs.append(name) }
    }
    return proofs
  }

  /// The domain of an address as names of hosts are written; nil for anything else, which could say what it likes.
  private static func domain(_ sender: Mailbox) -> [UInt8]? {
    let domain = sender.domain.map(ASCII.lowercased)
    let labels = domain.split(separator: ASCII.dot, omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      (1...63).contains(label.count)
        && label.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.minus }
    }
    return isName && domain.count <= 253 ? domain : nil
  }

  /// Whether the name holds an address of another domain.
  private static func isNamedOtherwise(_ sender: Mailbox) -> Bool {
    let domain = sender.domain.map(ASCII.lowercased)
    return sender.name.split { $0 <= ASCII.space || isBracket($0) }.contains { word in
      guard let at = word.lastIndex(of: ASCII.at), at > word.startIndex else { return false }
      let named = word[(at + 1)...].map(ASCII.lowercased)
      return named.dropFirst().dropLast().contains(ASCII.dot) && named != domain
    }
  }

  private static func isBracket(_ octet: UInt8) -> Bool {
    [UInt8](ascii: "\"'()<>[],;:").contains(octet)
  }

  /// A field further down may be forged: it adds methods, and takes no result back.
  private static func topmost(_ reports: [AuthenticationResults]) -> [MethodResult] {
    var (known, results): (Set<[UInt8]>, [MethodResult]) = ([], [])
    for report in reports {
      results += report.results.filter { !known.contains($0.method) }
      known.formUnion(report.results.map(\.method))
    }
    return results
  }

  /// A domain that disowns a message is heard before a signature that seems to be its own.
  private static func kind(_ results: [MethodResult], _ domain: [UInt8]?) -> Kind {
    if results.contains(where: {
      $0.method.equalsCaseless("dmarc") && $0.result.equalsCaseless("fail")
    }) {
      return .fail
    }
    guard let domain, results.contains(where: { proves($0, domain) }) else { return .none }
    return .pass
  }

  /// The domain that vouches for the message, perhaps a parent of that in From; nil where none does.
  package var proven: [UInt8]? {
    guard kind == .pass, let domain else { return nil }
    return results.filter { Self.proves($0, domain) }.compactMap(\.domain)
      .max { $0.count < $1.count }
  }

  private static func proves(_ result: MethodResult, _ domain: [UInt8]) -> Bool {
    guard result.result.equalsCaseless("pass"), let named = result.domain,
      result.method.equalsCaseless("dmarc") || result.method.equalsCaseless("dkim")
    else { return false }
    return named == domain || isParent(named, of: domain)
  }

  /// Whether it is a parent of that domain with two labels or more: there is no list of public suffixes.
  private static func isParent(_ named: [UInt8], of domain: [UInt8]) -> Bool {
    named.contains(ASCII.dot) && domain.reversed().starts(with: ([ASCII.dot] + named).reversed())
  }
}
