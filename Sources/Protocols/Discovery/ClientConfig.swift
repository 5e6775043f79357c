internal import Octets

/// The file of a provider for programs that read mail, `clientConfig` (draft-ietf-mailmaint-autoconfig).
///
/// What is not supported here, or could not be trusted, is skipped: first ways to log in, then servers, never the rest
/// of the document.
enum ClientConfig {
  /// The servers of an address by such a file.
  ///
  /// - Parameters:
  ///   - document: the file.
  ///   - address: the address.
  ///   - source: where the file comes from.
  ///   - asciiForm: gives an international name with A-labels; nil where it is none.
  /// - Returns: the servers.
  /// - Throws: why there is no server for reading.
  static func settings(
    _ document: [UInt8],
    of address: SoughtAddress,
    source: DiscoverySource,
    asciiForm: ([UInt8]) -> [UInt8]?
  ) throws(UnusableSource) -> FoundSettings {
    let root = try root(of: document)
    guard let provider = root.child(named: "emailProvider") else { throw .notAFile }
    let incoming = provider.children(named: "incomingServer")
    let outgoing = provider.children(named: "outgoingServer")
    return FoundSettings(
      source: source,
      provider: nil,
      imap: try first(.imap, incoming, address, asciiForm),
      smtp: try? first(.smtp, outgoing, address, asciiForm),
      issuer: issuer(root.child(named: "oAuth2"))
    )
  }

  private static func root(of document: [UInt8]) throws(UnusableSource) -> XMLElement {
    let root: XMLElement
    do throws(XMLProblem) {
      root = try XMLDocument.root(of: document)
    } catch {
      throw error == .noLibrary ? .noExpat : .notAFile
    }
    guard root.name == "clientConfig" else { throw .notAFile }
    return root
  }

  /// The first server of a service that can be used.
  ///
  /// - Throws: what is wrong with the first one.
  private static func first(
    _ service: FoundServer.Service,
    _ elements: [XMLElement],
    _ address: SoughtAddress,
    _ asciiForm: ([UInt8]) -> [UInt8]?
  ) throws(UnusableSource) -> FoundServer {
    var problem: UnusableSource?
    for element in elements where element.attributes["type"]?.lowercased() == service.rawValue {
      do throws(UnusableSource) {
        return try server(service, element, address, asciiForm)
      } catch {
        problem = problem ?? error
      }
    }
    throw problem ?? .noIMAP
  }

  private static func server(
    _ service: FoundServer.Service,
    _ element: XMLElement,
    _ address: SoughtAddress,
    _ asciiForm: ([UInt8]) -> [UInt8]?
  ) throws(UnusableSource) -> FoundServer {
    let written = element.child(named: "hostname")?.text ?? ""
    guard let host = filled(written, address, isHost: true),
      let place = HostName(host.utf8, asciiForm: asciiForm)
    else { throw .badHost(written) }
    guard let security = security(element.child(named: "socketType")?.text) else {
      throw .noTLS(host: place.text)
    }
    let offered = element.children(named: "authentication")
    let ways = ways(offered)
    guard !ways.isEmpty else { throw .noLogin(offered.map(\.text)) }
    let name = element.child(named: "username")?.text ?? ""
    guard let port = UInt16(element.child(named: "port")?.text ?? ""), port > 0,
      let user = filled(name, address, isHost: false)
    else { throw .malformed }
    return FoundServer(
      service: service,
      host: place.text,
      port: port,
      security: security,
      user: user.isEmpty ? address.text : user,
      ways: ways
    )
  }

  private static func security(_ text: String?) -> FoundServer.Security? {
    switch text?.lowercased() {
    case "ssl", "tls": .implicit
    case "starttls": .startTLS
    default: nil
    }
  }

  /// The ways that are supported, each once; a password where nothing is said.
  private static func ways(_ elements: [XMLElement]) -> [LoginWay] {
    guard !elements.isEmpty else { return [.password] }
    return elements.compactMap { way($0.text.lowercased()) }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func way(_ text: String) -> LoginWay? {
    switch text {
    case "password-cleartext", "plain", "password-encrypted", "secure", "login", "cram-md5",
      "scram-sha-1", "scram-sha-256", "scram-sha-1-plus", "scram-sha-256-plus":
      .password
    case "oauth2", "oauth", "xoauth2", "oauthbearer": .oauth
    default: nil
    }
  }

  /// A text with the parts of the address in the places for them; nil where a place is none, or the text is no name.
  private static func filled(_ text: String, _ address: SoughtAddress, isHost: Bool) -> String? {
    let values = [
      ("%EMAILADDRESS%", address.text), ("%EMAILLOCALPART%", address.localPart),
      ("%EMAILDOMAIN%", address.domain.text),
    ]
    var filled = ""
    var rest = text[...]
    while let place = rest.firstIndex(of: "%") {
      filled += rest[..<place]
      rest = rest[place...]
      guard let (name, value) = values.first(where: { rest.hasPrefix($0.0) }),
        !isHost || name == "%EMAILDOMAIN%"
      else { return nil }
      filled += value
      rest = rest.dropFirst(name.count)
    }
    filled += rest
    return filled.utf8.count <= 320 && !filled.utf8.contains(where: ASCII.isControl) ? filled : nil
  }

  private static func issuer(_ element: XMLElement?) -> FoundIssuer? {
    guard let text = element?.child(named: "issuer")?.text,
      let address = IssuerAddress.checked(text)
    else { return nil }
    let client = element?.child(named: "clientID")?.text ?? ""
    // A client with a secret is one program's own.
    let isForAll = !client.isEmpty && element?.child(named: "clientSecret") == nil
    return FoundIssuer(address: address, clientID: isForAll ? client : nil)
  }
}
