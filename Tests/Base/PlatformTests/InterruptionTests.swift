import Glibc
import Platform
import Testing

@Suite struct InterruptionTests {
  @Test func requestMakesTheDescriptorReadable() {
    let interruption = Interruption()
    #expect(!interruption.isRequested)
    #expect(!isReadable(interruption.descriptor))
    interruption.request()
    interruption.request()
    #expect(interruption.isRequested)
    #expect(isReadable(interruption.descriptor))
    #expect(interruption.signal == nil)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func signalsRequestAndThenEndTheProcess(_ number: Int32) async {
    await #expect(processExitsWith: .signal(number)) { [number] in
      Interruption.shared.watchSignals()
      kill(getpid(), number)
      var polled = pollfd(fd: Interruption.shared.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 10_000) == 1, Interruption.shared.isRequested,
        Interruption.shared.signal == number
      else { exit(1) }
      Interruption.shared.endProcess()
    }
  }

  @Test func secondSignalEndsAtOnce() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      Interruption.shared.watchSignals()
      kill(getpid(), SIGINT)
      while !Interruption.shared.isRequested { usleep(1000) }
      kill(getpid(), SIGTERM)
      sleep(10)
      exit(1)
    }
  }

  @Test func secondSignalEndsWithTheStatusThatWasSet() async {
    await #expect(processExitsWith: .exitCode(7)) {
      Interruption.shared.watchSignals(withRareOnes: true)
      Interruption.shared.setEndStatus(7)
      kill(getpid(), SIGALRM)
      while !Interruption.shared.isRequested { usleep(1000) }
      kill(getpid(), SIGQUIT)
      sleep(10)
      exit(1)
    }
  }

  /// As nohup(1) does.
  @Test func ignoredSignalsStayIgnored() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      Interruption.shared.watchSignals()
      kill(getpid(), SIGHUP)
      usleep(100_000)
      exit(Interruption.shared.isRequested ? 1 : 0)
    }
  }

  @Test func brokenPipesAreErrors() async {
    await #expect(processExitsWith: .exitCode(EPIPE)) {
      Signals.ignoreBrokenPipe()
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      write(ends[1], [1], 1)
      exit(errno)
    }
  }

  @Test func filesThatMayNotGrowAreErrors() async {
    await #expect(processExitsWith: .exitCode(EFBIG)) {
      Signals.ignoreFileSizeLimit()
      let file = fileno(tmpfile())
      var limit = rlimit(rlim_cur: 1, rlim_max: 1)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      write(file, [1], 1)
      write(file, [1], 1)
      exit(errno)
    }
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 1
  }
}
