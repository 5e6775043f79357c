internal import MailModel
internal import Octets

/// What a server says of the sender of a message, for those who may trust it.
///
/// The verdict of ``SenderVerdict`` for settings that trust this server alone is that of its claim, or none where more fields
/// Received stand above that than they allow.
package struct VerdictClaim: Hashable, Sendable {
  package let kind: SenderVerdict.Kind

  /// Fields Received above it, at most ``TrustedServers/mostHops``.
  package let hops: Int

  /// The name by which the server calls itself, in lower case.
  package let server: [UInt8]

  /// A claim as it may stand in a header.
  package init(_ kind: SenderVerdict.Kind, hops: Int, server: [UInt8]) {
    (self.kind, self.hops, self.server) = (kind, hops, server)
  }

  /// Servers in a header at most: a message passes few.
  private static let limit = 16

  /// The topmost claims of the first servers that a header names, in its order.
  package static func all(in header: Header, _ decoder: CharsetDecoder) -> [VerdictClaim] {
    var (hops, order): (Int, [[UInt8]]) = (0, [])
    var reports: [[UInt8]: (hops: Int, list: [AuthenticationResults])] = [:]
    for field in header.fields {
      if field.isNamed("Received") { hops += 1 }
      guard hops <= TrustedServers.mostHops else { break }
      guard field.isNamed("Authentication-Results"), let report = AuthenticationResults(field.body)
      else { continue }
      if let known = reports[report.server] {
        if known.hops == hops { reports[report.server]?.list.append(report) }
      } else if order.count < limit {
        order.append(report.server)
        reports[report.server] = (hops, [report])
      }
    }
    return order.compactMap { server in
      reports[server].map { reports in
        let verdict = SenderVerdict(reports.list, of: header, decoder)
        return VerdictClaim(verdict.kind, hops: reports.hops, server: server)
      }
    }
  }
}
