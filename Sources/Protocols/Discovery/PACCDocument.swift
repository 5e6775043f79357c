internal import JSON
internal import Octets

/// A domain's file for programs that read mail (draft-ietf-mailmaint-pacc-02), whose digest stands in DNS.
enum PACCDocument {
  /// The servers of an address by such a file.
  ///
  /// - Parameters:
  ///   - document: the octets as they came.
  ///   - records: the records that name digests of the file; one has to be that of this one.
  ///   - address: the address, which is the name to log in with.
  ///   - tools: what the search needs of the world.
  /// - Returns: nil where no digest fits, it is no such file, or has no server for reading that can be used.
  static func settings(
    _ document: [UInt8],
    _ records: [DNSRecord],
    of address: SoughtAddress,
    _ tools: DiscoverySearch.Tools
  ) -> FoundSettings? {
    let digests = records.compactMap(digest)
    guard !digests.isEmpty, digests.contains(tools.sha256(document)),
      let json = try? JSONValue(document), let protocols = json.member("protocols")
    else { return nil }
    let authentication = json.member("authentication")
    let issuer = text(authentication?.member("oauth-public")?.member("issuer"))
      .flatMap(IssuerAddress.checked)
    var ways: [LoginWay] = []
    if isOffered(authentication?.member("password")) { ways.append(.password) }
    if issuer != nil { ways.append(.oauth) }
    guard !ways.isEmpty, let imap = server(.imap, protocols, ways, address, tools) else {
      return nil
    }
    return FoundSettings(
      source: .pacc,
      provider: nil,
      imap: imap,
      smtp: server(.smtp, protocols, ways, address, tools),
      issuer: issuer.map { FoundIssuer(address: $0, clientID: nil) }
    )
  }

  /// The digest that a record names: `v=UAAC1; a=sha256; d=BASE64`; nil where it is none of these.
  private static func digest(_ record: DNSRecord) -> [UInt8]? {
    guard case .txt(let text) = record else { return nil }
    var fields: [String: [UInt8]] = [:]
    for part in text.split(separator: ASCII.semicolon) {
      let part = part.filter { !ASCII.isBlank($0) }
      guard let place = part.firstIndex(of: ASCII.equals) else { return nil }
      fields[String(decoding: part[..<place], as: UTF8.self)] = [UInt8](part[(place + 1)...])
    }
    guard fields["v"] == [UInt8](ascii: "UAAC1"), fields["a"] == [UInt8](ascii: "sha256"),
      let digest = fields["d"].flatMap({ Base64.decode($0) }), digest.count == 32
    else { return nil }
    return digest
  }

  private static func isOffered(_ value: JSONValue?) -> Bool {
    switch value {
    case .boolean(let flag): flag
    case .object, .array, .string: true
    case .null, .number, nil: false
    }
  }

  private static func text(_ value: JSONValue?) -> String? {
    value?.octets.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func server(
    _ service: FoundServer.Service,
    _ protocols: JSONValue,
    _ ways: [LoginWay],
    _ address: SoughtAddress,
    _ tools: DiscoverySearch.Tools
  ) -> FoundServer? {
    guard let host = protocols.member(service.rawValue)?.member("host")?.octets,
      let name = HostName(host, asciiForm: tools.asciiForm)
    else { return nil }
    return FoundServer(
      service: service,
      host: name.text,
      port: service == .imap ? 993 : 465,
      security: .implicit,
      user: address.text,
      ways: ways
    )
  }
}
