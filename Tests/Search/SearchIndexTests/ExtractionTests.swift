import Configuration
import Glibc
import Platform
import SearchIndex
import TestSupport
import Testing

/// Text of attachments in an index: what is found, what is filtered again, and what of filters that misbehave.
@Suite struct ExtractionTests {
  private let pdf = "application/pdf"

  @Test func textOfAttachmentsIsFound() throws {
    let stage = try TextStage()
    try stage.deliver("one", [(pdf, "apple pear"), ("application/zip", "cherry")])
    try stage.deliver("two", [("APPLICATION/PDF; x=y", "pear plum"), ("text/plain", "quince")])
    try stage.deliver("three", [])
    try stage.index.scan()
    #expect(try stage.found("pear") == [] && stage.found("quince") == ["two"])
    let report = try stage.extract([(pdf, stage.echo)])
    #expect(report.texts == 2 && report.failures == [] && report.stopped == [])
    #expect(try stage.found("pear") == ["one", "two"])
    #expect(try stage.found("\"apple pear\"") == ["one"])
    #expect(try stage.found("cherry") == [])
    // The rest of the messages is as it was.
    #expect(try stage.found("body") == ["one", "three", "two"])
    #expect(try stage.found("subject:one and plum") == [])
    #expect(try stage.index.check().faults == 0)
  }

  /// Many programs send files as octets, and say by the name alone what they are.
  @Test func theNameTellsTheTypeOfOctets() throws {
    let stage = try TextStage()
    try stage.deliver(
      "one",
      [
        ("application/octet-stream; name=\"Plan.PDF\"", "apple"),
        ("application/octet-stream; name=plan.bin", "pear"),
        ("application/x-download; name=other.pdf", "plum"),
        ("application/zip; name=zip.pdf", "cherry"),
      ]
    )
    try stage.index.scan()
    let report = try stage.extract([(pdf, stage.echo)])
    #expect(report.texts == 2 && report.failures == [], "\(report)")
    #expect(try stage.found("apple") == ["one"] && stage.found("plum") == ["one"])
    #expect(try stage.found("pear") == [] && stage.found("cherry") == [])
    #expect(try stage.found("mimetype:application/pdf") == ["one"])
    #expect(try stage.found("mimetype:octet-stream") == ["one"])
    #expect(try stage.extract([(pdf, stage.echo)]).isQuiet && stage.calls == 2)
  }

  @Test func nothingIsDoneTwice() throws {
    let stage = try TextStage()
    try stage.deliver("one", [(pdf, "apple")])
    try stage.index.scan()
    #expect(try stage.extract([(pdf, stage.echo)]).texts == 1)
    #expect(try stage.extract([(pdf, stage.echo)]).isQuiet && stage.calls == 1)
    // The same attachment in another message, and all of it in a new index.
    try stage.deliver("two", [(pdf, "apple"), (pdf, "pear")])
    try stage.index.scan()
    let report = try stage.extract([(pdf, stage.echo)])
    #expect(report.texts == 2 && report.cached == 1 && stage.calls == 2)
    try stage.index.build()
    #expect(try stage.found("apple") == [])
    #expect(try stage.extract([(pdf, stage.echo)]).cached == 3 && stage.calls == 2)
    #expect(try stage.found("apple") == ["one", "two"])
  }

  /// A run that does not wait for filters ends in the midst of an attachment, which is left to one that does.
  @Test func aRunWithADeadlineEndsInTheMidstOfAnAttachment() throws {
    var stage = try TextStage()
    stage.seconds = 60
    try stage.deliver("one", [(pdf, "apple")])
    try stage.index.scan()
    let hang = ["sh", "-c", "echo call >>\(stage.directory["calls"]); sleep 600"]
    let begin = Clock.monotonicNanoseconds()
    for _ in 0..<3 {
      let report = try stage.extract([(pdf, hang)], until: .after(seconds: 3.3))
      #expect(report.texts == 0 && report.failures == [] && report.stopped == [])
    }
    #expect(Clock.monotonicNanoseconds() - begin < 30_000_000_000)
    #expect(stage.calls == 1, "once given up, it is not tried again by a run with a deadline")
    #expect(try stage.extract([(pdf, hang)], until: .after(seconds: 3.3)).isQuiet)
    let quick = ["sh", "-c", "test $(wc -l <\(stage.directory["calls"])) = 1 && cat"]
    #expect(try stage.extract([(pdf, quick)]).texts == 1)
    #expect(try stage.found("apple") == ["one"])
  }

  @Test func anAttachmentThatAnotherRunFiltersIsLeftToThat() throws {
    let stage = try TextStage()
    try stage.deliver("one", [(pdf, "apple")])
    try stage.index.scan()
    let (begun, later) = (stage.directory["begun"], stage.directory["later"])
    let command = [
      "sh", "-c",
      "echo call >>\(stage.directory["calls"]); touch \(begun); while ! test -e \(later); do sleep 0.02; done; cat",
    ]
    let thread = try Thread.spawn(name: "first") { _ = try? stage.extract([(pdf, command)]) }
    while !Files.exists(begun) { usleep(10_000) }
    #expect(try stage.extract([(pdf, command)]).isQuiet)
    try Files.write("", to: later)
    thread.join()
    #expect(stage.calls == 1)
    #expect(try stage.found("apple") == ["one"])
  }

  /// What stops a service asks all of its processes to end, the filter maybe first: that is no fault of the attachment.
  @Test func anAttachmentWhoseFilterWasStoppedIsFilteredByTheNextRun() throws {
    let stage = try TextStage()
    try stage.deliver("one", [(pdf, "apple")])
    try stage.index.scan()
    let (begun, later) = (stage.directory["begun"], stage.directory["later"])
    let command = ["sh", "-c", "touch \(begun); test -e \(later) || kill -TERM $$; cat"]
    let interruption = Interruption()
    let thread = try Thread.spawn(name: "stop") {
      while !Files.exists(begun) { usleep(10_000) }
      usleep(50_000)
      interruption.request()
    }
    #expect(try stage.extract([(pdf, command)], interruption: interruption).isQuiet)
    thread.join()
    try Files.write("", to: later)
    #expect(try stage.extract([(pdf, command)]).texts == 1)
    #expect(try stage.found("apple") == ["one"])
  }

  @Test func messagesOfBothPartsOfTheIndexAreTaken() throws {
    let stage = try TextStage()
    for number in 1...5 { try stage.deliver("old\(number)", [(pdf, "apple")]) }
    try stage.index.build()
    try stage.deliver("new", [(pdf, "apple")])
    try stage.index.scan()
    #expect(try stage.extract([(pdf, stage.echo)]).texts == 6)
    #expect(try stage.found("apple").count == 6)
    #expect(try stage.index.check().faults == 0)
  }

  @Test func flagsCopiesAndRemovalsGoOnAsBefore() throws {
    let stage = try TextStage()
    // Of many types: whatever order they are read in, a copy says the same.
    let types = [pdf] + ["zip", "gzip", "rtf", "json", "xml"].map { "application/\($0)" }
    try stage.deliver("one", types.map { (type: $0, content: $0 == pdf ? "apple" : "cherry") })
    try stage.index.scan()
    _ = try stage.extract([(pdf, stage.echo)])
    let file = stage.directory["mail/INBOX/cur/one:2,"]
    rename(file, file + "FS")
    try stage.index.scan()
    #expect(try stage.found("apple is:flagged") == ["one"] && stage.found("apple is:unread") == [])
    // A copy is one more file of the same message, whether or not its text is in.
    let copy = stage.directory["mail/INBOX/cur/copy:2,"]
    try Files.write(try #require(Files.read(file + "FS")), to: copy)
    try stage.index.scan()
    #expect(try stage.found("apple") == ["one"] && stage.found("*") == ["one"])
    unlink(file + "FS")
    unlink(copy)
    try stage.index.scan()
    #expect(try stage.found("apple") == [] && stage.found("*") == [])
  }

  /// A copy of the message that has the attachment is read where another one is without it.
  @Test func aWholeFileIsReadBeforeOneWithoutAttachments() throws {
    let stage = try TextStage()
    try stage.deliver("one", [(pdf, "apple")])
    try stage.index.scan()
    let file = stage.directory["mail/INBOX/cur/one:2,"]
    let text = try #require(Files.text(file))
    let place = "message/external-body; access-type=\"x-magnum\"; section=\"2\"; size=\"5\""
    let partial = text.replacing("\napple\n", with: "\n")
      .replacing("Content-Type: \(pdf)", with: "Content-Type: \(place)\n\nContent-Type: \(pdf)")
    try SealedMark.writeKey(root: stage.directory["mail"])
    try Files.write(try SealedMark.field("one@x") + partial, to: file)
    try Files.write(text, to: stage.directory["mail/INBOX/cur/copy:2,"])
    try stage.index.scan()
    #expect(try stage.extract([(pdf, stage.echo)]).texts == 1)
    #expect(try stage.found("apple") == ["one"] && stage.found("*") == ["one"])
  }

  @Test func anotherCommandTakesThePlaceOfTheText() throws {
    let stage = try TextStage()
    try stage.deliver("one", [(pdf, "apple")])
    try stage.index.scan()
    _ = try stage.extract([(pdf, stage.echo)])
    #expect(try stage.extract([(pdf, ["tr", "a-z", "b-za"])]).texts == 1)
    #expect(try stage.found("apple") == [] && stage.found("bqqmf") == ["one"])
    // The first again: known.
    #expect(try stage.extract([(pdf, stage.echo)]).cached == 1 && stage.calls == 1)
  }

  @Test func eachFilterIsOnItsOwn() throws {
    let stage = try TextStage()
    try stage.deliver("one", [(pdf, "apple"), ("image/png", "pear"), ("image/gif", "plum")])
    try stage.index.scan()
    let missing = ["magnum-no-such-program"]
    let report = try stage.extract([(pdf, missing), ("image/*", stage.echo)])
    #expect(report.texts == 2 && report.stopped.map(\.filter.type) == [pdf])
    #expect(try stage.found("pear") == ["one"] && stage.found("plum") == ["one"])
    // It is said again, until there is such a program; what is there stays.
    #expect(try stage.extract([(pdf, missing), ("image/*", stage.echo)]).stopped.count == 1)
    #expect(try stage.extract([(pdf, stage.echo), ("image/*", stage.echo)]).texts == 3)
    #expect(try stage.found("apple pear") == ["one"] && stage.calls == 3)
  }

  @Test(
    arguments: [
      ("sleep 60", .tooSlow), ("kill -SEGV $$", .signal(Int(SIGSEGV))), ("yes", .tooLong),
      ("echo part; exit 1", .status(1)),
    ] as [(String, FilterFailure)]
  )
  func whatMisbehavesIsReportedOnce(_ line: String, _ cause: FilterFailure) throws {
    var stage = try TextStage()
    stage.seconds = 1
    try stage.deliver("bad", [(pdf, "bad"), (pdf, "good pear")])
    try stage.deliver("worse", [(pdf, "bad")])
    try stage.index.scan()
    let script =
      "echo call >>\(stage.directory["calls"]); read word rest; "
      + "if [ $word = bad ]; then \(line); else echo $rest; fi"
    let filter = ["sh", "-c", script]
    let report = try stage.extract([(pdf, filter)])
    #expect(report.failures.map(\.cause) == [cause] && report.failed == 1)
    #expect(report.texts == 1)
    #expect(try stage.found("pear") == ["bad"] && stage.found("part") == [])
    #expect(try stage.extract([(pdf, filter)]).isQuiet)
    try stage.index.build()
    #expect(try stage.extract([(pdf, filter)]).failures == [] && stage.calls == 2)
  }

  @Test func aFilterThatHangsAgainAndAgainIsLeftAlone() throws {
    var stage = try TextStage()
    stage.seconds = 0.3
    for number in 1...6 { try stage.deliver("m\(number)", [(pdf, "apple \(number)")]) }
    try stage.index.scan()
    let filter = [(pdf, ["sh", "-c", "echo call >>\(stage.directory["calls"]); sleep 60"])]
    let report = try stage.extract(filter)
    #expect(report.failed == 3 && report.stopped.map(\.cause) == [.excess] && report.left == 3)
    #expect(try stage.extract(filter).failed == 3)
    // On a busy machine one is ended before it says that it was called.
    let calls = stage.calls
    #expect(try stage.extract(filter).isQuiet && stage.calls == calls && calls <= 6)
  }

  @Test func whatThereIsNoTimeForIsLeftToTheNextRun() throws {
    let stage = try TextStage()
    for number in 1...3 { try stage.deliver("m\(number)", [(pdf, "apple \(number)")]) }
    try stage.index.scan()
    let report = try stage.extract([(pdf, stage.echo)], until: .now)
    #expect(report.left == 3 && report.texts == 0 && stage.calls == 0)
    #expect(try stage.extract([(pdf, stage.echo)]).texts == 3)
  }

  @Test func theCacheIsBoundedAndCanBeDamaged() throws {
    let stage = try TextStage()
    for number in 1...8 { try stage.deliver("m\(number)", [(pdf, "apple \(number)")]) }
    try stage.index.scan()
    #expect(try stage.extract([(pdf, stage.echo)], cacheLimit: 200).texts == 8)
    let kept = Files.names(in: stage.directory["cache"])
    #expect((1...4).contains(kept.count))
    for name in kept {
      let file = "cache/" + String(decoding: name, as: UTF8.self)
      try Files.write("magnum-text 1 text 0\nplum", to: stage.directory[file])
    }
    try stage.index.build()
    #expect(try stage.extract([(pdf, stage.echo)]).cached == 0)
    #expect(try stage.found("apple").count == 8 && stage.found("plum") == [])
  }

  @Test func withoutAnIndexThereIsNothingToDo() throws {
    let stage = try TextStage()
    try stage.deliver("one", [(pdf, "apple")])
    #expect(try stage.extract([(pdf, stage.echo)]).isQuiet && stage.calls == 0)
  }
}
