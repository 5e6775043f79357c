import Glibc
import TestSupport
import Testing

/// Clients by the SDK of the protocol in Python.
@Suite struct ClientTests {
  /// A Python that has the SDK: the one that MAGNUM_MCP_PYTHON names, else the system's.
  private static let python: String? = {
    let named = getenv("MAGNUM_MCP_PYTHON").map { String(cString: $0) }
    return [named, "/usr/bin/python3"].compactMap { $0 }.first { python in
      (try? Command(python, ["-c", "import mcp"]).run().code) == 0
    }
  }()

  @Test(
    .enabled("needs the package mcp of Python (MAGNUM_MCP_PYTHON names a Python)") { python != nil }
  )
  func theSDKIsServed() throws {
    let stage = try AgentStage()
    try stage.configure()
    try stage.deliver("a")
    try stage.index()
    let script = Fixtures.path("Fixtures/client.py")
    let program = "\(ProgramUnderTest.products)/magnum"
    let outcome = try Command(
      try #require(Self.python),
      [script, program, "helper", stage.magnum.home.path]
    ).run()
    let lines = outcome.output.split(separator: "\n").map { "\($0)" }
    #expect(outcome.code == 0, "\(outcome)")
    #expect(lines.first?.hasPrefix("revision 202") == true)
    #expect(
      lines.dropFirst() == [
        "tools search show status draft", "search done", "show done", "status done", "draft done",
        "show failed not-found", "search failed query", "send refused",
      ]
    )
    #expect(stage.drafts.count == 1)
  }
}
