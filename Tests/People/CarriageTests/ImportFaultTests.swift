import TestSupport
import Testing

/// `magnum import` killed at points where it changes something on disk, or without room there, then run again.
@Suite struct ImportFaultTests {
  private static let count = 300
  private static let messages = (1...count).map { number in
    CarriageStage.message(number, number % 3 == 0 ? "X-Keywords: tag\(number % 7)\n" : "")
  }
  private static let texts = (1...count).map { CarriageStage.message($0) }.sorted()

  private static func stage(_ more: String) throws -> CarriageStage {
    let stage = try CarriageStage(more)
    try stage.home.write(CarriageStage.mbox(messages), to: "old.mbox")
    return stage
  }

  private static func arguments(_ stage: CarriageStage) -> [String] {
    ["import", stage.home["old.mbox"], "--to", "work/Old"]
  }

  /// Whether each message that is there is whole, has its tags, and is there once.
  private static func check(_ stage: CarriageStage, isAll: Bool) throws {
    let folder = "\(stage.mail)/Old"
    let texts = CarriageStage.texts(folder)
    if isAll { try #require(texts == Self.texts) }
    try #require(Set(texts).isSubset(of: Self.texts) && Set(texts).count == texts.count)
    let tags = Files.text("\(folder)/.magnum-tags") ?? ""
    for file in CarriageStage.files(folder) {
      let text = Files.text(file) ?? ""
      let number = text.split(separator: "\n").first { $0.hasPrefix("text ") }?.dropFirst(5)
      guard let number = number.flatMap({ Int($0) }), number % 3 == 0 else { continue }
      let base = file.split(separator: "/").last?.split(separator: ":").first ?? ""
      try #require(tags.contains("\(base) =tag\(number % 7)\n"))
    }
  }

  /// A second run makes no file for a message that is there, and removes none.
  @Test(arguments: ["index = false", "index = true"]) func aSecondRun(_ more: String) throws {
    let stage = try Self.stage(more)
    _ = try stage.run(Self.arguments(stage))
    let counted = try stage.run(Self.arguments(stage), ["MAGNUM_FAULT_COUNT": stage.home["points"]])
    try #require(counted.output.contains("0 added, \(Self.count) already there"), "\(counted)")
    let lines = try #require(Files.text(stage.home["points"])).split(separator: "\n")
    let points = try #require(lines.first.flatMap { Int($0) })
    #expect(points < 20)
  }

  @Test(arguments: ["index = false", "index = true"]) func killed(_ more: String) throws {
    let stage = try Self.stage(more)
    let reset = { _ = try Command.shell("rm -rf \(stage.mail)") }
    // The first run of all makes the directory of the lock as well.
    _ = try stage.run(Self.arguments(stage))
    try reset()
    let counted = try stage.run(Self.arguments(stage), ["MAGNUM_FAULT_COUNT": stage.home["points"]])
    try #require(counted.code == 0, "\(counted)")
    try Self.check(stage, isAll: true)
    let lines = try #require(Files.text(stage.home["points"])).split(separator: "\n")
    let points = try #require(lines.first.flatMap { Int($0) })
    try #require(points > 100, "a debug build has fault points")
    for point in Turn.chosen(of: points, every: Turn.stride(60)) {
      try reset()
      for (run, point) in [point, 1 + point / 2].enumerated() {
        let killed = try stage.run(Self.arguments(stage), ["MAGNUM_FAULT": "\(point)"])
        // The second one may be done before it comes to that point.
        try #require(killed.end == .signalled(9) || run == 1 && killed.code == 0, "\(killed)")
        try Self.check(stage, isAll: false)
      }
      let clean = try stage.run(Self.arguments(stage))
      try #require(clean.code == 0, "after kills at point \(point) of \(points): \(clean)")
      try Self.check(stage, isAll: true)
      try #require(Files.names(in: "\(stage.mail)/Old/tmp").isEmpty)
    }
  }

  /// Equal messages in two directories: a run after a killed one comes to the same as one that was not killed.
  @Test(arguments: ["index = false", "index = true"]) func twoAlike(_ more: String) throws {
    let stage = try CarriageStage(more)
    let mbox = { (numbers: [Int]) in
      CarriageStage.mbox(
        numbers.map { number in
          // The drafts of one are finished messages in the other.
          CarriageStage.message(number, number % 10 == 0 ? "X-Status: T\n" : "")
        }
      )
    }
    try stage.home.write(mbox(Array(1...150)), to: "two/A")
    try stage.home.write(
      mbox(Array(1...200)).replacing("X-Status: T\n", with: ""),
      to: "two/B"
    )
    let arguments = ["import", stage.home["two"], "--to", "work/Old"]
    let count = { (folder: String) in CarriageStage.files("\(stage.mail)/Old/\(folder)").count }
    let reset = { _ = try Command.shell("rm -rf \(stage.mail)") }
    _ = try stage.run(arguments)
    try reset()
    let whole = try stage.run(arguments, ["MAGNUM_FAULT_COUNT": stage.home["points"]])
    #expect(whole.output.hasPrefix("350 read: 200 added, 150 already there"), "\(whole)")
    let expected = [count("A"), count("B")]
    #expect(expected == [150, 50])
    let again = try stage.run(arguments)
    #expect(again.output.hasPrefix("350 read: 0 added, 350 already there"), "\(again)")
    let lines = try #require(Files.text(stage.home["points"])).split(separator: "\n")
    let points = try #require(lines.first.flatMap { Int($0) })
    for point in Turn.chosen(of: points, every: Turn.stride(200)) {
      try reset()
      #expect(try stage.run(arguments, ["MAGNUM_FAULT": "\(point)"]).end == .signalled(9))
      let clean = try stage.run(arguments)
      try #require(clean.code == 0, "after a kill at point \(point) of \(points): \(clean)")
      try #require([count("A"), count("B")] == expected)
    }
  }

  @Test func noRoom() throws {
    let stage = try Self.stage("index = false")
    for point in [20, 150, 400, 700] {
      _ = try Command.shell("rm -rf \(stage.mail)")
      let full = try stage.run(Self.arguments(stage), ["MAGNUM_FAULT_ERROR": "\(point)+:ENOSPC"])
      #expect(full.code == 73, "\(full)")
      try Self.check(stage, isAll: false)
      let clean = try stage.run(Self.arguments(stage))
      #expect(clean.code == 0, "\(clean)")
      try Self.check(stage, isAll: true)
    }
  }

  @Test(.enabled(if: SmallDisk.canBe), arguments: ["30m", "65m"])
  func aFullDisk(_ size: String) throws {
    let stage = try Self.stage("index = false")
    let disk = try SmallDisk(at: stage.mail, size)
    let full = try stage.run(Self.arguments(stage))
    #expect(full.code == 73, "\(full)")
    #expect(full.errors.contains("no room on the disk"))
    let placed = CarriageStage.files("\(stage.mail)/Old").count
    #expect(size == "30m" ? placed == 0 : (1..<Self.count).contains(placed))
    let counts = "\(placed) read: \(placed) added, 0 already there, 0 deleted before, 0 left out\n"
    #expect(full.output == (placed == 0 ? "" : counts))
    try disk.resize("100m")
    #expect(try stage.run(Self.arguments(stage)).code == 0)
    try Self.check(stage, isAll: true)
  }
}
