internal import Octets

/// A request to a server of the web, and how much of an answer to it is taken.
package struct WebRequest: Hashable, Sendable {
  /// What is sent.
  package enum Body: Hashable, Sendable {
    /// Nothing: GET.
    case none
    /// A form: POST.
    case form(WebForm)
    /// JSON: POST. It holds neither quotes that are not JSON's own nor line ends.
    case json([UInt8])
  }

  package let address: WebAddress
  /// What is sent.
  package let body: Body
  /// The most octets of an answer.
  package let limit: Int
  /// The most seconds for all.
  package let seconds: Int
  /// The type of content that is wanted.
  private let accepted: [UInt8]
  /// Whether nothing of an answer is wanted but its status; the header of the answer is read then.
  package private(set) var wantsStatusOnly = false
  /// The addresses of the host, which is not looked up then; empty to look it up.
  private var pinned: [NetworkAddress] = []

  /// A request for what is public; three redirects are followed, to `https` only.
  ///
  /// - Parameters:
  ///   - address: where it is.
  ///   - type: the type of content that is wanted; by default JSON.
  ///   - seconds: the most that it may take.
  /// - Returns: the request.
  package static func get(
    _ address: WebAddress,
    type: StaticString = "application/json",
    within seconds: Int = 20
  ) -> WebRequest {
    WebRequest(
      address: address,
      body: .none,
      limit: 256 << 10,
      seconds: seconds,
      accepted: [UInt8](ascii: type)
    )
  }

  /// A request with secrets in it or in its answer: no redirect is followed.
  package static func post(_ body: Body, to address: WebAddress) -> WebRequest {
    WebRequest(
      address: address,
      body: body,
      limit: 64 << 10,
      seconds: 30,
      accepted: [UInt8](ascii: "application/json")
    )
  }

  /// The request to leave a list (RFC 8058 §3.1): no redirect is followed, and the answer says nothing but its status.
  static func oneClick(at address: WebAddress, of addresses: [NetworkAddress]) -> WebRequest {
    var form = WebForm()
    form.add("List-Unsubscribe", [UInt8](ascii: "One-Click"))
    var request = WebRequest(
      address: address,
      body: .form(form),
      limit: 64 << 10,
      seconds: 20,
      accepted: [UInt8](ascii: "*/*")
    )
    request.wantsStatusOnly = true
    request.pinned = addresses
    return request
  }

  /// Where the certificates of authorities are that are trusted; curl looks into one of the two alone where its environment names
  /// both.
  package struct Trust: Hashable, Sendable {
    /// A file of certificates.
    package let file: [UInt8]
    /// A directory of certificates.
    package let directory: [UInt8]

    /// Trusts what is in both; nil where a path cannot stand in curl's configuration.
    package init?(file: [UInt8], directory: [UInt8]) {
      guard !(file + directory).contains(where: ASCII.isControl) else { return nil }
      self.file = file
      self.directory = directory
    }
  }

  /// Lines for curl(1) by which a request goes through a proxy, but not to this machine.
  ///
  /// - Parameters:
  ///   - proxy: its address, such as `socks5h://proxy.example.org:1080`.
  ///   - login: name and password with a colon between them; nil for none.
  /// - Returns: the lines; nil where a text cannot stand in curl's configuration.
  package static func curlLines(through proxy: [UInt8], login: [UInt8]?) -> [UInt8]? {
    guard !(proxy + (login ?? [])).contains(where: ASCII.isControl) else { return nil }
    var lines = [
      line("proxy", proxy), line("noproxy", [UInt8](ascii: "localhost,127.0.0.0/8,::1")),
    ]
    if let login { lines.append(line("proxy-user", login)) }
    return lines.flatMap { $0 + [ASCII.lineFeed] }
  }

  /// What curl(1) reads on its standard input with `-q --config -`, where it is to trust other authorities than its own.
  package func curlConfiguration(trusting trust: Trust) -> [UInt8] {
    curlConfiguration + Self.line("cacert", trust.file) + [ASCII.lineFeed]
      + Self.line("capath", trust.directory) + [ASCII.lineFeed]
  }

  /// What curl(1) reads on its standard input with `-q --config -`.
  ///
  /// Everything stands in quotes, in which curl knows `\` and `"` only as special (`curl_config`, "CONFIG FILE").
  package var curlConfiguration: [UInt8] {
    var lines: [[UInt8]] = [
      Self.line("url", address.octets), [UInt8](ascii: "proto = \"=https\""),
      [UInt8](ascii: "globoff"), [UInt8](ascii: "silent"), [UInt8](ascii: "no-netrc"),
      Self.line("max-time", [UInt8](decimal: seconds)), [UInt8](ascii: "connect-timeout = \"15\""),
      Self.line("header", [UInt8](ascii: "Accept: ") + accepted),
      Self.line("user-agent", [UInt8](ascii: "Magnum")),
      [UInt8](
        ascii: #"write-out = "\n%{http_code}\n%header{retry-after}\n%{errormsg}""#
      ),
    ]
    switch body {
    case .none:
      lines += [
        [UInt8](ascii: "location"), [UInt8](ascii: "max-redirs = \"3\""),
        [UInt8](ascii: "proto-redir = \"=https\""),
      ]
    case .form(let form): lines.append(Self.line("data-raw", form.encoded))
    case .json(let octets):
      lines.append(Self.line("header", [UInt8](ascii: "Content-Type: application/json")))
      lines.append(Self.line("data-raw", octets))
    }
    if wantsStatusOnly {
      lines += [[UInt8](ascii: "include"), [UInt8](ascii: "suppress-connect-headers")]
    }
    if !pinned.isEmpty { lines.append(Self.line("resolve", resolution)) }
    return lines.reduce(into: []) { $0 += $1 + [ASCII.lineFeed] }
  }

  /// Host, port and addresses, as `host:port:address,…`.
  private var resolution: [UInt8] {
    let port = [UInt8](decimal: address.port ?? 443)
    return address.host + [ASCII.colon] + port + [ASCII.colon]
      + pinned.map(\.text).joined(separator: [ASCII.comma])
  }

  private static func line(_ name: StaticString, _ value: [UInt8]) -> [UInt8] {
    var line = [UInt8](ascii: name) + [UInt8](ascii: " = \"")
    for octet in value {
      if octet == ASCII.quote || octet == ASCII.backslash { line.append(ASCII.backslash) }
      line.append(octet)
    }
    return line + [ASCII.quote]
  }
}

/// A server's answer to a request.
package struct WebReply: Hashable, Sendable {
  /// The status, from 100 to 599.
  package let status: Int
  /// The seconds after which to ask again, where the server says so in seconds (RFC 9110 §10.2.3).
  package let retryAfter: Int64?
  /// The content.
  package let body: [UInt8]
  /// What of the request is secret: no text that is made of the answer may repeat it, though servers do.
  package var secrets: [[UInt8]] = []

  package init(status: Int, retryAfter: Int64? = nil, body: [UInt8]) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }

  /// A text of the answer with every secret of the request in it replaced by `…`.
  package func redacted(_ text: [UInt8]) -> [UInt8] {
    secrets.filter { !$0.isEmpty }.reduce(text) { $0.exchanging($1, for: [UInt8]("…".utf8)) }
  }

  /// Reads what curl(1) writes for a request, and the words about a failure that stand behind it.
  ///
  /// Nil for the reply where there was none: curl then writes the status 000.
  package static func read(curlOutput output: [UInt8]) -> (reply: WebReply?, failure: [UInt8]) {
    var lines: [ArraySlice<UInt8>] = []
    var rest = output[...]
    while lines.count < 3, let end = rest.lastIndex(of: ASCII.lineFeed) {
      lines.append(rest[(end + 1)...])
      rest = rest[..<end]
    }
    guard lines.count == 3 else { return (nil, []) }
    let reply = decimal(lines[2]).flatMap { Int(exactly: $0) }.flatMap { status in
      (100...599).contains(status)
        ? WebReply(status: status, retryAfter: decimal(lines[1]), body: [UInt8](rest)) : nil
    }
    return (reply, [UInt8](lines[0]))
  }

  /// The status in the header that octets begin with, behind those of interim answers; nil where that is not there.
  package static func status(ofHeader octets: [UInt8]) -> Int? {
    var rest = octets[...]
    while rest.starts(with: [UInt8](ascii: "HTTP/")),
      let end = rest.firstIndex(of: ASCII.lineFeed)
    {
      let words = rest[..<end].split(separator: ASCII.space, maxSplits: 2)
      guard words.count > 1,
        let status = decimal(words[1].filter { $0 != ASCII.carriageReturn }[...]),
        (100...599).contains(status)
      else { return nil }
      guard status < 200 else { return Int(status) }
      guard let blank = rest.firstPlace(of: [UInt8](ascii: "\r\n\r\n")) else { return nil }
      rest = rest[blank.upperBound...]
    }
    return nil
  }

  private static func decimal(_ text: ArraySlice<UInt8>) -> Int64? {
    var cursor = Cursor(text)
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return Int64(exactly: number)
  }
}
