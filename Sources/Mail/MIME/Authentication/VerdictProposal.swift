package import MailModel
internal import Octets

/// Which server's verdicts an account can believe, by what its messages have.
package struct VerdictProposal: Hashable, Sendable {
  /// The server, and how many Received stand above its fields at most.
  package let servers: TrustedServers

  /// Messages that have no such field of it, among those that were looked at: a forged one could take the place.
  package let without: Int

  /// Fewer messages tell nothing.
  private static let least = 10

  /// Where nine in ten messages agree on a server; nil where they do not, or are few.
  package init?(_ headers: [Header]) {
    guard headers.count >= Self.least else { return nil }
    var places: [[UInt8]: [Int]] = [:]
    for header in headers {
      if let (server, hops) = Self.topmost(header) { places[server, default: []].append(hops) }
    }
    guard let (server, hops) = places.max(by: { $0.value.count < $1.value.count }),
      hops.count * 10 >= headers.count * 9, let most = hops.max()
    else { return nil }
    servers = TrustedServers(names: [server], hops: most)
    without = headers.count - hops.count
  }

  /// The server of the topmost field, and how many Received stand above it.
  private static func topmost(_ header: Header) -> (server: [UInt8], hops: Int)? {
    var hops = 0
    for field in header.fields {
      if field.isNamed("Received") { hops += 1 }
      guard hops <= TrustedServers.mostHops else { return nil }
      if field.isNamed("Authentication-Results") {
        return AuthenticationResults(field.body).flatMap {
          isName($0.server) ? ($0.server, hops) : nil
        }
      }
    }
    return nil
  }

  /// Whether it is a name that can be written down anywhere.
  private static func isName(_ server: [UInt8]) -> Bool {
    server.count <= 255
      && server.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || [UInt8](ascii: ".-_").contains($0)
      }
  }
}
