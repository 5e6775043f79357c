import TestSupport
import Testing

/// Mail that is fetched over a slow line from a server that compresses.
@Suite struct CompressionTests {
  /// About 2.4 MB of mail, which compresses well, over a line of less than a megabyte a second.
  private func stage(_ setting: String = "", capabilities: String? = nil) throws -> (
    Stage, DelayProxy
  ) {
    var options = DovecotOptions()
    options.capabilities = capabilities
    options.lines = ["protocol imap {", "  mail_plugins = imap_zlib", "}"]
    let stage = try Stage(options)
    let line = String(repeating: "x", count: 70) + "\r\n"
    let body = String(repeating: line, count: 4000 / 72)
    for number in 1...600 { try stage.imap.append(mail("message \(number)", body: body)) }
    var link = DelayProxy.Link.delayed(0.02)
    link.window = 8192
    let proxy = try DelayProxy(to: stage.server.ports.clear, link)
    try stage.configure(
      url: "imap+plain://127.0.0.1:\(proxy.port)",
      account: setting,
      sync: "connections = 1"
    )
    return (stage, proxy)
  }

  @Test func aSlowLine() throws {
    let (stage, proxy) = try stage()
    let outcome = try stage.syncWell("-v", "--trace")
    let trace = outcome.output + outcome.errors
    #expect(trace.contains("COMPRESS DEFLATE"), "\(proxy.counters)")
    #expect(proxy.counters.down < 1_800_000, "\(proxy.counters)")
    try stage.expectMirrored()
  }

  @Test(arguments: ["never", "not offered"])
  func withoutIt(_ way: String) throws {
    let (stage, proxy) = try stage(
      way == "never" ? "compress = \"never\"" : "",
      capabilities: way == "never" ? nil : DovecotOptions.allCapabilities
    )
    let outcome = try stage.syncWell("-v", "--trace")
    #expect(!(outcome.output + outcome.errors).contains("COMPRESS DEFLATE"))
    #expect(proxy.counters.down > 2_400_000, "\(proxy.counters)")
    try stage.expectMirrored()
  }

  /// A line that breaks within compressed octets: the rest comes over a new connection.
  @Test func aCut() throws {
    let (stage, _) = try stage()
    var link = DelayProxy.Link.delayed(0.02)
    link.window = 8192
    link.cutAfterDown = 1_300_000
    link.meant = 1...1
    let proxy = try DelayProxy(to: stage.server.ports.clear, link)
    try stage.configure(
      url: "imap+plain://127.0.0.1:\(proxy.port)",
      sync: "connections = 1"
    )
    try stage.syncWell()
    #expect(proxy.counters.cuts == 1)
    try stage.expectMirrored()
  }
}
