internal import Octets
package import Platform
package import Web

/// Sends requests by curl(1).
///
/// The child process reads all on its standard input, and nothing from arguments. Its environment has only the path of
/// programs, the proxy and the trusted certificates.
package enum WebClient {
  /// The variables that curl gets.
  private static let variables = [
    "PATH", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
    "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
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
  ///   - interruption: ends the wait when requested; nil where the answer must not be lost: then no signal to all processes of
  ///     a group ends curl either.
  /// - Returns: the answer, whatever its status.
  /// - Throws: why there is none.
  package static func send(
    _ request: WebRequest,
    interruption: Interruption?
  ) throws(WebFailure) -> WebReply {
    let result = try runCurl(request, interruption)
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
  private static func configuration(_ request: WebRequest) -> [UInt8] {
    guard let file = Environment.octets("SSL_CERT_FILE"),
      let directory = Environment.octets("SSL_CERT_DIR"),
      (try? FileSystem.status(Path(file))) ?? nil != nil,
      let trust = WebRequest.Trust(file: file, directory: directory)
    else { return request.curlConfiguration }
    return request.curlConfiguration(trusting: trust)
  }

  private static func runCurl(
    _ request: WebRequest,
    _ interruption: Interruption?
  ) throws(WebFailure) -> (status: ChildProcess.Status, output: [UInt8]) {
    do throws(SystemError) {
      return try ChildProcess.run(
        .arguments(["curl", "-q", "--config", "-"]),
        timeout: Double(request.seconds) + 5,
        outputLimit: request.limit + room,
        standardInput: .octets(configuration(request)),
        variables: .only(
          variables.compactMap { name in Environment.value(name).map { "\(name)=\($0)" } }
        ),
        interruption: interruption,
        blocksSignals: interruption == nil
      )
    } catch {
      throw error.isNotFound ? .noCurl : .notStarted(error.reason)
    }
  }
}
