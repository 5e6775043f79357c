package import Configuration
internal import Octets
package import Platform
internal import Proxies
package import Web

/// Sends requests by curl(1).
///
/// The child process reads all on its standard input, and nothing from arguments. Its environment has only the path of
/// programs, the proxy and the trusted certificates.
package enum WebClient {
  /// The variables that curl gets.
  private static let variables = ["PATH", "SSL_CERT_FILE", "SSL_CERT_DIR"]

  /// Those that it gets where no proxy is configured.
  private static let proxyVariables = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]

  /// Octets that curl writes besides the answer, at most.
  private static let room = 4096

  /// Sends a request and waits for the answer.
  ///
  /// What comes is counted here, and curl is ended when it is too much: its own limit does not hold where the server does
  /// not say how long the answer is.
  ///
  /// - Parameters:
  ///   - request: what is sent.
  ///   - proxy: what it goes through.
  ///   - interruption: ends the wait when requested; nil where the answer must not be lost: then no signal to all processes of
  ///     a group ends curl either.
  ///   - trust: the authorities that are trusted; nil for those of the system and the environment.
  /// - Returns: the answer, whatever its status.
  /// - Throws: why there is none.
  package static func send(
    _ request: WebRequest,
    through proxy: WebProxy,
    interruption: Interruption?,
    trusting trust: WebRequest.Trust? = nil
  ) throws(WebFailure) -> WebReply {
    let result = try runCurl(request, proxy, interruption, trust)
    if request.wantsStatusOnly, result.status != .interrupted,
      let status = WebReply.status(ofHeader: result.output)
    {
      return WebReply(status: status, body: [])
    }
    switch result.status {
    case .exited(0): break
    case .exited(let status):
      throw WebFailure(curlStatus: status, words: WebReply.read(curlOutput: result.output).failure)
    case .signalled(let signal): throw .other(status: 128 + signal, [])
    case .timedOut: throw .timedOut
    case .outputTooLong: throw .tooLong(limit: request.limit)
    case .interrupted: throw .interrupted
    }
    guard let reply = WebReply.read(curlOutput: result.output).reply else {
      throw .other(status: 0, [])
    }
    guard reply.body.count <= request.limit else { throw .tooLong(limit: request.limit) }
    return reply
  }

  /// OpenSSL takes both variables for certificates, and so do the connections to mail servers; curl takes one of them.
  private static func configuration(_ request: WebRequest, _ trust: WebRequest.Trust?) -> [UInt8] {
    if let trust { return request.curlConfiguration(trusting: trust) }
    guard let file = Environment.octets("SSL_CERT_FILE"),
      let directory = Environment.octets("SSL_CERT_DIR"),
      (try? FileSystem.status(Path(file))) ?? nil != nil,
      let trust = WebRequest.Trust(file: file, directory: directory)
    else { return request.curlConfiguration }
    return request.curlConfiguration(trusting: trust)
  }

  private static func runCurl(
    _ request: WebRequest,
    _ proxy: WebProxy,
    _ interruption: Interruption?,
    _ trust: WebRequest.Trust?
  ) throws(WebFailure) -> (status: ChildProcess.Status, output: [UInt8]) {
    do throws(SystemError) {
      return try ChildProcess.run(
        .arguments(["curl", "-q", "--config", "-"]),
        timeout: Double(request.seconds) + 5,
        outputLimit: request.limit + room,
        standardInput: .octets(configuration(request, trust) + proxy.lines),
        variables: .only(
          (variables + (proxy == .ofEnvironment ? proxyVariables : [])).compactMap { name in
            Environment.value(name).map { "\(name)=\($0)" }
          }
        ),
        interruption: interruption,
        blocksSignals: interruption == nil
      )
    } catch {
      throw error.isNotFound ? .noCurl : .notStarted(error.reason)
    }
  }
}

/// What requests go through.
package struct WebProxy: Hashable, Sendable {
  /// Lines for curl.
  fileprivate let lines: [UInt8]
  private let isOfEnvironment: Bool

  private init(_ lines: [UInt8], isOfEnvironment: Bool = false) {
    (self.lines, self.isOfEnvironment) = (lines, isOfEnvironment)
  }

  /// Whether the configuration names a proxy.
  package var isConfigured: Bool { !lines.isEmpty }

  /// What the environment names.
  package static let ofEnvironment = WebProxy([], isOfEnvironment: true)

  /// Nothing.
  package static let none = WebProxy([])

  /// What the configuration says; blocks while a command gives a password.
  ///
  /// - Throws: where there is no password, or where it cannot be sent.
  package init(_ rule: ProxyRule, interruption: Interruption?) throws(SecretError) {
    switch rule {
    case .environment: self = .ofEnvironment
    case .none: self = .none
    case .through(let settings):
      let login = try ProxyKeeper(settings, interruption: interruption).login()
      let lines = WebRequest.curlLines(
        through: Array(settings.address.description.utf8),
        login: login?.text
      )
      guard let lines else {
        throw SecretError(key: "proxy-password-command", problem: .containsNUL)
      }
      self = WebProxy(lines)
    }
  }
}

/// Gives requests what they go through; the password is asked for once.
final class WebProxyKeeper: Sendable {
  private let rule: ProxyRule
  private let interruption: Interruption?
  private let state = Monitor<WebProxy?>(nil)

  init(_ rule: ProxyRule, _ interruption: Interruption?) {
    (self.rule, self.interruption) = (rule, interruption)
  }

  func get() throws(SecretError) -> WebProxy {
    try state.withLock { (known) throws(SecretError) in
      if let known { return known }
      let proxy = try WebProxy(rule, interruption: interruption)
      known = proxy
      return proxy
    }
  }
}
