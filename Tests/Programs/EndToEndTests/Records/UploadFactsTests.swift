import TestSupport
import Testing

/// A message that was uploaded is on record as the server has it: with its size and its date, whatever the file has.
@Suite struct UploadFactsTests {
  @Test(arguments: [Provider.microsoft, .complete, .courier, .plain])
  func verifyFindsNoDifference(_ provider: Provider) throws {
    let server = try ProviderServer(provider)
    let program = try ProgramUnderTest()
    try program.configure(at: server.clearURL)
    server.deliver(mail("there"))
    let first = try program.run()
    #expect(first.code == 0, "\(first)")
    let files = LocalFolder(program.home["Mail/test"], "INBOX")
    try files.add("here", mail("here"), flags: "S")
    try files.add("too", mail("too"), flags: "S")
    for _ in 0..<2 {
      let outcome = try program.run()
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(server.subjects() == ["here", "there", "too"])
    var verify = program.command(["verify"])
    verify.program = "\(ProgramUnderTest.products)/magnum"
    let verified = try verify.run()
    #expect(verified.code == 0 && verified.output.contains("3 messages equal"), "\(verified)")
  }
}
