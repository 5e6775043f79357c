import Glibc
import Platform
import TestSupport
import Testing

@testable import Terminal

/// What reaches the two outputs of a program, and what is said when it does not.
@Suite struct ConsoleTests {
  private let directory: TempDirectory

  init() throws {
    directory = try TempDirectory("console")
    signal(SIGPIPE, SIG_IGN)
  }

  private func file(_ name: String) throws -> Int32 {
    let descriptor = open(directory[name], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    return descriptor
  }

  private func text(_ name: String) -> String? { Files.text(directory[name]) }

  /// The two ends of a pipe that no child of another test can inherit, not even for a moment.
  private func pipe() throws -> (reading: Int32, writing: Int32) {
    try #require(mkfifo(directory["pipe"], 0o600) == 0)
    let reading = open(directory["pipe"], O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = open(directory["pipe"], O_WRONLY | O_CLOEXEC)
    try #require(reading >= 0 && writing >= 0 && fcntl(reading, F_SETFL, 0) == 0)
    return (reading, writing)
  }

  private static let screen = TerminalTraits(
    isTerminal: true,
    term: "xterm",
    noColour: nil,
    columns: 40
  )

  @Test func linesAreKeptUntilTheEnd() throws {
    let output = try file("out")
    let console = Console(output: output, errors: try file("err"))
    console.print("one")
    console.print(octets: [0xFF, 0x0A])
    #expect(text("out") == "")
    #expect(console.finish() == nil)
    #expect(Files.read(directory["out"]) == Array("one\n".utf8) + [0xFF, 0x0A])
    #expect(text("err") == "")
  }

  @Test("a message comes at once, and after the results before it")
  func order() throws {
    let both = try file("both")
    let console = Console(output: both, errors: both)
    console.print("result 1")
    console.report(Diagnostic(program: "p", what: "bad\u{1B}", hint: "better"))
    console.print("result 2")
    console.writeNote("a note\r")
    #expect(
      text("both") == """
        result 1
        p: bad\\x1B
        hint: better
        result 2
        a note\\x0D

        """
    )
  }

  @Test func muchIsWrittenBeforeTheEnd() throws {
    let console = Console(output: try file("out"), errors: try file("err"))
    console.print(String(repeating: "x", count: 70_000))
    #expect(text("out")?.utf8.count == 70_001)
  }

  @Test func aFullDisk() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    let console = Console(output: full, errors: try file("err"))
    console.print("lost")
    #expect(console.finish() == ENOSPC)
    console.print("lost too")
    #expect(console.finish() == ENOSPC)
  }

  @Test func anOutputThatIsNotOpen() throws {
    let console = Console(output: -1, errors: -1)
    console.report(Diagnostic(program: "p", what: "unheard"))
    #expect(console.finish() == nil)
    console.print("lost")
    #expect(console.finish() == EBADF)
  }

  @Test("a reader who has had enough is no failure")
  func closedPipe() throws {
    let (reading, writing) = try pipe()
    close(reading)
    let console = Console(output: writing, errors: try file("err"))
    console.print("unread")
    console.flush()
    #expect(console.finish() == nil)
    close(writing)
  }

  @Test("a pipe that another program made non-blocking loses nothing")
  func nonBlockingPipe() throws {
    let (reading, writing) = try pipe()
    try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
    let total = 1_000_000
    let writer = try Platform.Thread.spawn(name: "writer") {
      let console = Console(output: writing, errors: -1)
      for _ in 0..<(total / 10) { console.print("123456789") }
      _ = console.finish()
      close(writing)
    }
    var buffer = [UInt8](repeating: 0, count: 10_000)
    var received = 0
    while case let count = read(reading, &buffer, buffer.count), count > 0 { received += count }
    writer.join()
    #expect(received == total)
  }

  @Test func linesOfSeveralThreadsAreNotMixed() throws {
    let both = try file("both")
    let console = Console(output: both, errors: both)
    let writers = try (0..<4).map { number in
      try Platform.Thread.spawn(name: "writer") {
        for _ in 0..<500 {
          console.print(String(repeating: "\(number)", count: 50))
          console.writeNote(String(repeating: "\(number)", count: 50))
        }
      }
    }
    for writer in writers { writer.join() }
    _ = console.finish()
    let lines = try #require(text("both")).split(separator: "\n")
    #expect(lines.count == 4000)
    #expect(lines.allSatisfy { $0.count == 50 && Set($0).count == 1 })
  }

  @Test("the footer is drawn over, and gives way to messages and results")
  func footer() throws {
    let screen = try file("screen")
    let console = Console(output: screen, errors: screen, errorTraits: Self.screen)
    console.drawFooter(["a 1", "b 1"])
    console.drawFooter(["a 2"])
    console.writeNote("note")
    console.print("result")
    console.flush()
    #expect(console.finish() == nil)
    let clear1 = "\r\u{1B}[J"
    let clear2 = "\r\u{1B}[1A\u{1B}[J"
    #expect(
      text("screen") == "a 1\r\nb 1" + clear2 + "a 2" + clear1 + "note\na 2" + clear1
        + "result\na 2" + clear1
    )
  }

  @Test func noFooterWhereLinesCannotBeDrawnOver() throws {
    let console = Console(output: -1, errors: try file("err"))
    console.drawFooter(["a"])
    let board = ProgressBoard(console: console)
    board.update(ProgressState(account: "work"))
    board.remove(account: "work")
    #expect(text("err") == "")
  }

  @Test func wordsAreBoldOnlyOnATerminal() throws {
    let console = Console(output: -1, errors: try file("err"), errorTraits: Self.screen)
    console.report(Diagnostic(program: "p", what: "bad"))
    #expect(text("err") == "\u{1B}[1mp:\u{1B}[0m bad\n")
  }

  @Test("the board draws at once, then ten times a second at most")
  func board() throws {
    let console = Console(output: -1, errors: try file("err"), errorTraits: Self.screen)
    let board = ProgressBoard(console: console)
    board.update(ProgressState(account: "work"))
    #expect(text("err") == "work  connecting")
    for count in 1...1000 {
      board.update(ProgressState(account: "work", phase: .bodies, messagesDone: count))
    }
    let drawn = try #require(text("err")).split(separator: "\r").count
    #expect(drawn < 100)
    usleep(110_000)
    board.update(ProgressState(account: "work", phase: .bodies, messagesDone: 2000))
    #expect(text("err")?.hasSuffix("\u{1B}[Jwork  messages  2,000") == true)
    board.remove(account: "work")
    #expect(text("err")?.hasSuffix("work  messages  2,000\r\u{1B}[J") == true)
  }

  /// However what others wrote comes in pieces, its lines are shown alike.
  @Test(arguments: 1...9 as ClosedRange<Int>)
  func linesOfOthersAreShown(_ size: Int) {
    let octets = Array("a\u{1B}[1mé\r\n\n\u{9B}b\tc\nlast".utf8)
    var lines = ShownLines()
    var shown: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: size) {
      shown += lines.add(octets[start..<min(start + size, octets.count)])
    }
    shown += lines.finish()
    let text = String(decoding: shown, as: UTF8.self)
    #expect(text == "a\\x1B[1mé\n\n\\u{9B}b\\x09c\nlast\n")
    #expect(lines.finish().isEmpty)
  }
}
