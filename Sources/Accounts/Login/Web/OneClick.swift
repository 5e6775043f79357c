package import Platform
internal import Transport
package import Web

/// Leaves a list by one request to an address that a message names (RFC 8058).
///
/// The host is looked up once; the request goes to the addresses that were checked, and is never sent again. A proxy of the
/// configuration looks it up itself.
package struct OneClick: Sendable {
  /// Why the list is not left.
  package enum Failure: Error, Hashable, Sendable {
    /// The address is refused; nothing is sent.
    case refused(OneClickRequest.Refusal)
    /// There is no answer.
    case noAnswer(WebFailure)
    /// The server answers with this status, a redirect among them.
    case status(Int)
  }

  /// How the addresses of a host are found; empty where it has none.
  package typealias Resolver = @Sendable (_ host: String) -> [NetworkAddress]

  private let rules: OneClickRequest.Rules
  private let trust: WebRequest.Trust?
  private let resolve: Resolver

  /// Seconds for the resolver.
  private static let timeLimit = 10.0

  /// Requests to hosts of the public Internet alone.
  package init() {
    self.init(by: .strict, trusting: nil) { host in
      ByteStream.addresses(of: host, by: .after(seconds: Self.timeLimit))
        .compactMap { NetworkAddress($0) }
    }
  }

  /// Requests by other rules, with another resolver, and to servers with other certificates.
  package init(
    by rules: OneClickRequest.Rules,
    trusting trust: WebRequest.Trust?,
    resolve: @escaping Resolver
  ) {
    (self.rules, self.trust, self.resolve) = (rules, trust, resolve)
  }

  /// Checks all of an address that needs no resolver.
  ///
  /// - Throws: why it is refused.
  package func request(to address: [UInt8]) throws(Failure) -> OneClickRequest {
    do throws(OneClickRequest.Refusal) {
      return try OneClickRequest(address, by: rules)
    } catch {
      throw .refused(error)
    }
  }

  /// Sends the request; blocks until the answer is there, half a minute at most.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - proxy: what it goes through.
  ///   - interruption: ends the wait when requested.
  /// - Returns: the status of the answer, from 200 to 299.
  /// - Throws: why the list is not left.
  package func send(
    _ request: OneClickRequest,
    through proxy: WebProxy,
    interruption: Interruption?
  ) throws(Failure) -> Int {
    let webRequest = proxy.isConfigured ? request.unbound : try bound(request)
    let reply: WebReply
    do throws(WebFailure) {
      reply = try WebClient.send(
        webRequest,
        through: proxy,
        interruption: interruption,
        trusting: trust
      )
    } catch {
      throw .noAnswer(error)
    }
    guard (200...299).contains(reply.status) else { throw .status(reply.status) }
    return reply.status
  }

  /// The request to the addresses that the host has now.
  private func bound(_ request: OneClickRequest) throws(Failure) -> WebRequest {
    let addresses = resolve(String(decoding: request.address.host, as: UTF8.self))
    guard !addresses.isEmpty else { throw .noAnswer(.unresolved) }
    do throws(OneClickRequest.Refusal) {
      return try request.bound(to: addresses, by: rules)
    } catch {
      throw .refused(error)
    }
  }
}
