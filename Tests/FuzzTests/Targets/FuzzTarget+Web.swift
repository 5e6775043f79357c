import Archives
import Discovery
import JSON
import OAuth
import Octets
import Query
import Web

/// Servers of the web, of names and of archives.
extension FuzzTarget {
  /// A JSON value reads its own text.
  static func readJSON(_ octets: [UInt8]) {
    guard let value = try? JSONValue(octets, valueLimit: 10_000) else { return }
    precondition((try? JSONValue(value.text)) == value)
  }

  static func readOAuth(_ octets: [UInt8]) {
    for status in [200, 400] {
      let reply = WebReply(status: status, body: octets)
      _ = try? TokenResponse(reply)
      _ = try? DeviceAuthorization(reply)
      _ = TokenResponse.refreshToken(in: reply)
    }
    _ = try? ServerMetadata.endpoints(octets, issuer: Array("https://x.test".utf8))
    if let grant = try? GrantFile.grant(octets) {
      precondition((try? GrantFile.grant(GrantFile.octets(of: grant))) != nil)
    }
    if case .refused(let refusal)? = try? GrantFile.content(octets) {
      precondition(GrantFile.octets(of: refusal) == octets)
    }
  }

  /// A query of another machine.
  static func readArchive(_ octets: [UInt8]) {
    guard let value = try? JSONValue(octets, valueLimit: 10_000),
      let query = try? Query(wire: value)
    else { return }
    precondition((try? Query(wire: query.wire)) == query)
  }

  static func readDNS(_ octets: [UInt8]) {
    for type in [DNSRecordType.mx, .srv, .txt] { _ = DNSAnswer.records(octets, type: type) }
  }

  static func readWeb(_ octets: [UInt8]) {
    _ = WebReply.read(curlOutput: octets)
    _ = WebReply.status(ofHeader: octets)
    _ = WebForm(octets)
    if let address = try? WebAddress(octets) { _ = address.with(path: [47]) }
  }

  /// A document in answer to each question that is asked.
  static func readDiscovery(_ octets: [UInt8]) {
    guard let address = try? SoughtAddress("a@x.test", asciiForm: { $0 }) else { return }
    let tools = DiscoverySearch.Tools(
      sha256: { _ in [] },
      registeredDomain: { $0 },
      asciiForm: { $0 }
    )
    var search = DiscoverySearch(address, tools: tools)
    for question in search.open {
      switch question.matter {
      case .document: _ = search.applyAnswer(.document(status: 200, octets), to: question)
      case .records(_, let type):
        _ = search.applyAnswer(.records(DNSAnswer.records(octets, type: type) ?? []), to: question)
      }
    }
    _ = try? search.end()
  }

  static func readXML(_ octets: [UInt8]) { _ = try? XMLDocument.root(of: octets) }
}
