import Glibc
import Octets
import Outgoing
import Platform
import TestSupport
import Testing

/// Programs hand over pipes that they use themselves, and that do not wait then.
@Test func aPipeThatDoesNotWaitIsReadToItsEnd() throws {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
    throw HarnessError("no pipe")
  }
  let input = Descriptor(adopting: ends[0])
  let output = ends[1]
  let writer = Background {
    for piece in ["To: a@x.test\n", "\ntext\n"] {
      Stopwatch.sleep(0.1)
      write(output, piece, piece.utf8.count)
    }
    close(output)
  }
  defer { writer.join() }
  let message = try MessageInput.read(input, limit: 100).whole()
  #expect(message == Array("To: a@x.test\n\ntext\n".utf8))
}

/// What a person allows is one thing, what the system does another.
@Test func aMessageThatCannotBePutAsideIsNotTooLong() async {
  await #expect(processExitsWith: .exitCode(EFBIG)) {
    Signals.ignoreFileSizeLimit()
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let zeros = try Descriptor.open(Path("/dev/zero"), .read)
    do throws(MessageInput.Failure) {
      _ = try MessageInput.read(zeros, limit: 4 << 20)
    } catch {
      if case .notStored(let error) = error { exit(error.code) }
    }
  }
}
