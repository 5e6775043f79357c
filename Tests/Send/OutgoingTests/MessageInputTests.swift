import Glibc
import Octets
import Outgoing
import Platform
import TestSupport
import Testing

/// Programs hand over pipes that they use themselves, and that do not wait then.
@Test func aPipeThatDoesNotWaitIsReadToItsEnd() throws {
  let (reading, output) = try Spawning.pipe()
  #expect(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
  let input = Descriptor(adopting: reading)
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
    let zeros = try Descriptor.open(Path("/dev/zero"), .read.orDevice)
    do throws(MessageInput.Failure) {
      _ = try MessageInput.read(zeros, limit: 4 << 20)
    } catch {
      if case .notStored(let error) = error { exit(error.code) }
    }
  }
}
