import TestSupport

/// The same mail twice: in one Maildir, and dealt out to several, each with an index.
struct ShardedMail {
  let home: TempDirectory
  let search: ProgramUnderTest
  let magnum: ProgramUnderTest
  let shards: Int

  /// Messages in threads that know each other by References or In-Reply-To alone, some of them by messages that are nowhere;
  /// one in ten lies in two shards.
  ///
  /// The first shard is an account of this machine; the others are archives, or accounts too.
  init(messages: Int, shards: Int, seed: UInt64 = 7, isLocal: Bool = false) throws {
    search = try ProgramUnderTest("magnum-search")
    magnum = try ProgramUnderTest("magnum")
    home = search.home
    self.shards = shards
    var random = SeededGenerator(seed: seed)
    for name in ["all"] + (0..<shards).map({ "shard\($0)" }) {
      for folder in ["INBOX", "Lists/swift"] {
        for sub in ["cur", "new", "tmp"] {
          try Files.makeDirectories(home["\(name)/\(folder)/\(sub)"])
        }
      }
    }
    for number in 0..<messages {
      let text = Self.message(number, &random)
      let folder = number % 3 == 0 ? "Lists/swift" : "INBOX"
      let flags = ["", "S", "FS", "RS"][number % 4]
      let file = "\(folder)/cur/\(number):2,\(flags)"
      try Files.write(text, to: home["all/\(file)"])
      let shard = Int.random(in: 0..<shards, using: &random)
      try Files.write(text, to: home["shard\(shard)/\(file)"])
      if number % 10 == 0 {
        try Files.write(text, to: home["shard\((shard + 1) % shards)/\(file)"])
        try Files.write(text, to: home["all/\(folder)/cur/\(number).copy:2,\(flags)"])
      }
    }
    for name in ["all"] + (0..<shards).map({ "shard\($0)" }) {
      let outcome = try magnum.run("index", "--subject-threading", "off", home[name])
      guard outcome.code == 0 else { throw HarnessError("\(outcome)") }
    }
    try search.configure(
      """
      [account.here]
      maildir = "\(home["shard0"])"
      subject-threading = "off"
      \((1..<shards).map { number in
        let maildir = home["shard\(number)"]
        return isLocal
          ? Self.account(number, maildir) : Self.archive(number, search.path, maildir)
      }.joined())
      """
    )
  }

  private static func account(_ number: Int, _ maildir: String) -> String {
    "\n[account.a\(number)]\nmaildir = \"\(maildir)\"\nsubject-threading = \"off\"\n"
  }

  private static func archive(_ number: Int, _ program: String, _ maildir: String) -> String {
    "\n[archive.a\(number)]\ncommand = [\"\(program)\", \"--serve\", \"--maildir\", \"\(maildir)\"]\n"
      + "timeout = 300\n"
  }

  private static let words = [
    "apple", "pear", "plum", "cherry", "quince", "grapes", "melons", "figs",
  ]

  private static func message(_ number: Int, _ random: inout SeededGenerator) -> String {
    let day = 1 + number / 1000 % 28
    let minute = number % 1000
    var lines = [
      "Message-ID: <m\(number)@x>", "From: Writer \(number % 17) <w\(number % 17)@example.org>",
      "To: Reader \(number % 5) <r\(number % 5)@example.org>",
      "Date: \(day) Jul 2024 \(10 + minute / 60 % 12):\(minute % 60 < 10 ? "0" : "")\(minute % 60):\(10 + number / 720 % 50) +0000",
      "Subject: subject \(number)",
    ]
    if number > 0, number % 4 != 0 {
      let parent = number - Int.random(in: 1...min(number, 40), using: &random)
      switch number % 3 {
      case 0: lines.append("In-Reply-To: <m\(parent)@x>")
      case 1: lines.append("References: <lost\(parent / 7)@x> <m\(parent)@x>")
      default: lines.append("References: <lost\(number / 50)@x>")
      }
    }
    let some = (0..<5).compactMap { _ in words.randomElement(using: &random) }
    lines += ["", some.joined(separator: " ") + " number\(number)", ""]
    return lines.joined(separator: "\n")
  }

  /// What one index of all says; with queries, to each of them in its turn.
  func alone(_ arguments: [String], _ queries: [String] = []) throws -> Outcome {
    try run(["--maildir", home["all"]] + arguments, queries)
  }

  /// What all shards together say.
  func together(_ arguments: [String], _ queries: [String] = []) throws -> Outcome {
    try run(arguments, queries)
  }

  private func run(_ arguments: [String], _ queries: [String]) throws -> Outcome {
    var command = search.command(arguments + (queries.isEmpty ? [] : ["--batch"]))
    command.input = Array(queries.map { $0 + "\n" }.joined().utf8)
    return try command.run()
  }
}
