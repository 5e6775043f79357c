import TestSupport
import Testing

/// Threads beside those of notmuch and mu, on mail whose references are what programs make of them.
@Suite struct ThreadPartitionTests {
  private static func isThere(_ program: String) -> Bool {
    (try? Command(program, ["--version"]).run().code) == 0
  }

  /// Writes messages of some conversations, with references that are cut, in the wrong order, or missing.
  private static func deliver(_ count: Int, _ seed: UInt64, to stage: SearchStage) throws {
    var generator = SeededGenerator(seed: seed)
    var threads: [[Int]] = []
    for number in 0..<count {
      let isNew = threads.isEmpty || Int.random(in: 0..<3, using: &generator) == 0
      let thread = isNew ? threads.count : Int.random(in: 0..<threads.count, using: &generator)
      if isNew { threads.append([]) }
      let ids = threads[thread].map { "<t\($0)@x>" }
      let parent = ids.randomElement(using: &generator)
      var lines = [
        "From: W <w\(number % 7)@x.org>", "To: r@x.org", "Subject: about \(number)",
        "Message-ID: <t\(number)@x>",
        "Date: \(1 + number % 28) Jul 2026 10:\(10 + number % 50):00 +0000",
      ]
      if let parent {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: lines.append("In-Reply-To: \(parent)")
        case 1: lines.append("References: \(ids.joined(separator: " "))")
        case 2: lines.append("References: \(ids.reversed().joined(separator: "\n "))")
        case 3: lines.append("References: <gone\(thread)@x> \(parent)")
        case 4: lines += ["In-Reply-To: Message of Monday \(parent)", "References: \(parent)"]
        default: lines += ["References: \(parent)", "In-Reply-To: \(parent)"]
        }
      } else if Int.random(in: 0..<3, using: &generator) == 0 {
        lines.append("In-Reply-To: <gone\(thread)@x>")
      }
      threads[thread].append(number)
      let text = (lines + ["", "text \(number)", ""]).joined(separator: "\n")
      try stage.search.home.write(text, to: "mail/INBOX/cur/\(number):2,S")
    }
    try stage.makeFolder()
  }

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { "\($0)" }
  }

  /// The messages of each thread, as a program gives them whose options are notmuch's.
  private static func partition(_ run: ([String]) throws -> String) throws -> Set<Set<String>> {
    let names = words(try run(["--output=threads", "*"]))
    return Set(try names.map { Set(words(try run(["--output=messages", $0]))) })
  }

  /// The threads of 150 messages in a new index.
  private static func ours(_ seed: UInt64, on stage: SearchStage) throws -> Set<Set<String>> {
    try deliver(150, seed, to: stage)
    #expect(try stage.index(["--subject-threading", "off"]).code == 0)
    let ours = try partition { try stage.search($0).output }
    #expect(ours.reduce(0) { $0 + $1.count } == 150)
    return ours
  }

  @Test(
    .enabled("notmuch is not installed") { isThere("notmuch") },
    arguments: [1, 2] as [UInt64]
  )
  func partitionsAreThoseOfNotmuch(_ seed: UInt64) throws {
    let stage = try SearchStage()
    let ours = try Self.ours(seed, on: stage)
    let environment = stage.search.command([]).environment
    let settings = "[database]\npath=\(stage.mail)\n[new]\nignore=.magnum;_magnum\n"
    try stage.search.home.write(settings, to: ".notmuch-config")
    #expect(try Command("notmuch", ["new", "--quiet"], environment: environment).run().code == 0)
    let theirs = try Self.partition {
      try Command("notmuch", ["search"] + $0, environment: environment).run().output
    }
    #expect(ours == theirs)
  }

  @Test(.enabled("mu is not installed") { isThere("mu") }, arguments: [1, 2] as [UInt64])
  func partitionsAreThoseOfMu(_ seed: UInt64) throws {
    let stage = try SearchStage()
    let ours = try Self.ours(seed, on: stage)
    let environment = stage.search.command([]).environment
    let home = "--muhome=\(stage.search.home["mu"])"
    for arguments in [["init", home, "-m", stage.mail], ["index", home]] {
      #expect(try Command("mu", arguments, environment: environment).run().code == 0)
    }
    let found = try Command(
      "mu",
      ["find", home, "--threads", "--nocolor", "--fields", "i", ""],
      environment: environment
    ).run().output
    // An arrow leads to an answer; mu parts what only a message that is missing holds together.
    var theirs: [[String]] = []
    for line in found.split(separator: "\n") {
      let id = "id:" + (Self.words(String(line)).last ?? "")
      if line.firstRange(of: "->") != nil, !theirs.isEmpty {
        theirs[theirs.count - 1].append(id)
      } else {
        theirs.append([id])
      }
    }
    #expect(theirs.reduce(0) { $0 + $1.count } == 150)
    for thread in theirs { #expect(ours.contains { $0.isSuperset(of: thread) }, "\(thread)") }
    print("threads of 150 messages: \(ours.count), of mu \(theirs.count)")
  }
}
