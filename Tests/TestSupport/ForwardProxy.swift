/// A proxy on loopback that speaks SOCKS and CONNECT and leads every name to this machine; ForwardProxy/proxy.py says more.
///
/// It ends with the test process.
package final class ForwardProxy: Sendable {
  package let port: UInt16
  private let folder: String

  /// Starts one; `login` is NAME:PASSWORD, empty for none.
  ///
  /// - Throws: `HarnessError` when it is not there within a minute.
  package init(login: String = "") throws {
    port = try Loopback.freePort()
    folder = try PythonServer.folder("proxy")
    let script = "\("\(#filePath)".dropLast(".swift".count))/proxy.py"
    try PythonServer.start(script, in: folder, ["\(port)", login])
  }

  /// Sets the one switch: `deny`, `silent`, or nothing.
  ///
  /// - Throws: `HarnessError` when it cannot be written.
  package func set(_ word: String) throws {
    try Files.write(word, to: "\(folder)/switches")
  }

  /// A line for each request: `socks NAME PORT`, `connect NAME:PORT`.
  package var requests: [String] {
    (Files.text("\(folder)/log") ?? "").split(separator: "\n").map { "\($0)" }
  }
}
