import TestSupport
import Testing

/// Named queries, in every program that takes a query.
struct NamedQueryTests {
  @Test func queriesAreCalledByName() throws {
    let stage = try ComposeStage("[search]\nlunch = \"from:ada and subject:lunch\"")
    var search = stage.magnum.command(["query:lunch", "--output", "messages"])
    search.program = "\(ProgramUnderTest.products)/magnum-search"
    #expect(try search.run().output == "id:m1@x.org\n")
    #expect(try stage.run("show", "query:lunch").output.contains("Shall we? é"))
    #expect(
      try stage.run("reply", "--template", "query:lunch").output.contains("To: Ada <ada@x.org>")
    )
    #expect(try stage.run("complete", "terms").lines.contains("query:lunch"))
    search.arguments = ["query:dinner"]
    let outcome = try search.run()
    #expect(outcome.code == 65 && outcome.errors.contains("there are: lunch"), "\(outcome)")
  }
}
