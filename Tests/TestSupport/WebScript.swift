/// A web server on loopback that does what the path of a request says; WebScript/web.py says what.
///
/// It ends, and its folder goes, when the test process ends.
package final class WebScript: Sendable {
  /// A name for which it has a certificate, and which no resolver knows.
  package static let host = "list.magnum.test"

  /// Where it listens on 127.0.0.1.
  package let port: UInt16

  /// The folder of its files.
  package let folder: String

  /// Starts one.
  ///
  /// - Throws: `HarnessError` when it is not there within a minute.
  package init() throws {
    port = try Loopback.freePort()
    folder = try PythonServer.folder("web")
    try ServerCertificate.make(in: folder, names: [Self.host])
    try PythonServer.start(Self.program, in: folder, ["\(port)"])
  }

  /// The authority of its certificate.
  package var authority: String { "\(folder)/ca.pem" }

  /// What was asked: a line a request with its body, each followed by its header.
  package var log: [String] { Self.log(in: folder) }

  static func log(in folder: String) -> [String] {
    (Files.text("\(folder)/log") ?? "").split(separator: "\n").map { "\($0)" }
  }

  /// The path of its script.
  static var program: String { "\("\(#filePath)".dropLast(".swift".utf8.count))/web.py" }
}
