internal import OAuth
internal import Octets

/// What the browser shows after a login.
enum RedirectPage {
  /// The whole answer to a request, after which the connection is closed.
  static func octets(for answer: RedirectAnswer) -> [UInt8] {
    let (status, text) = words(answer)
    let body = Array((text + "\n").utf8)
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/plain; charset=utf-8",
      "Content-Length: \(body.count)", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "X-Content-Type-Options: nosniff", "Connection: close",
    ]
    return head.flatMap { Array($0.utf8) + [ASCII.carriageReturn, ASCII.lineFeed] }
      + [ASCII.carriageReturn, ASCII.lineFeed] + body
  }

  private static func words(_ answer: RedirectAnswer) -> (status: String, text: String) {
    switch answer {
    case .code: ("200 OK", "Return to the terminal. You can close this page.")
    case .refused: ("200 OK", "The login was refused. Return to the terminal.")
    case .otherIssuer:
      ("400 Bad Request", "This answer comes from another server. Return to the terminal.")
    case .otherPath: ("404 Not Found", "Not found")
    case .malformed: ("400 Bad Request", "This is not the answer to the login that goes on")
    }
  }
}
