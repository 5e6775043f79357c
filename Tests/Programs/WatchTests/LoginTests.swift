import Configuration
import Glibc
import MailStore
import MemoryStore
import Platform
import SyncPlan
import Synchronization
import TestSupport
import Testing
import Transport

@testable import Watch

@Suite("The log-ins of a watched account")
struct LoginTests {
  /// A clock that is moved by hand.
  private final class HandClock: Sendable {
    let seconds = Atomic<Int64>(1_000_000)
  }

  private let folder: TempDirectory
  private let clock = HandClock()

  init() throws { folder = try TempDirectory("logins") }

  private func loginState() -> LoginState {
    let clock = clock
    return LoginState(Path(folder["account"])) { clock.seconds.load(ordering: .relaxed) }
  }

  private var server: MemoryServer {
    var content = MemoryContent()
    content.make("INBOX")
    return MemoryServer(content)
  }

  @Test("twelve an hour, over restarts")
  func restarts() {
    let taken = (0..<14).map { _ in loginState().takeLogin() }
    #expect(taken == Array(repeating: true, count: 12) + [false, false])
    #expect(loginState().delay == 3600)
    clock.seconds.add(3600, ordering: .relaxed)
    #expect(loginState().delay == 0)
    #expect(loginState().left == 12)
  }

  @Test("a file that is damaged counts as empty")
  func damage() throws {
    try FileSystem.makeDirectories(Path(folder["account"]))
    try folder.write("x\n\n99999999999999999999999\n-3\n", to: "account/logins", mode: 0o600)
    #expect(loginState().left == 12)
  }

  @Test("each connection takes one, also the further ones of a sync, which leave some over")
  func connections() throws {
    let loginState = loginState()
    let server = RateLimitedServer(server, loginState)
    #expect(server.connectionLimit == 9)
    let (store, _) = try server.open(isWriting: true, naming: .plain)
    for _ in 0..<9 { _ = try server.openAnother(like: store.traits, isWriting: true) }
    #expect(loginState.left == 2)
    #expect(server.connectionLimit == 1)
    _ = try server.openAnother(like: store.traits, isWriting: true)
    _ = try server.openAnother(like: store.traits, isWriting: true)
    do throws(SyncFailure) {
      _ = try server.open(isWriting: true, naming: .plain)
      Issue.record("there was one left")
    } catch {
      if case .loginsUsedUp(let until) = error {
        #expect(until > Clock.now())
      } else {
        Issue.record("\(error)")
      }
    }
  }

  @Test("a clock that is set back costs an hour from then on, over restarts")
  func clocks() {
    for _ in 0..<12 { _ = loginState().takeLogin() }
    clock.seconds.store(500_000, ordering: .relaxed)
    #expect(loginState().delay == 3600)
    clock.seconds.add(1800, ordering: .relaxed)
    #expect(loginState().delay == 1800)
    clock.seconds.add(1800, ordering: .relaxed)
    #expect(loginState().left == 12)
  }

  @Test("one that does not reach the server is given back, one that it refuses is not")
  func failures() throws {
    let loginState = loginState()
    let cases: [(SyncFailure, Int)] = [
      (.transport(.nameNotFound(host: "h", detail: "", isTemporary: true)), 12),
      (.transport(.timedOut(.connect)), 12),
      // The server answered, and that could not be written down.
      (.system(SystemError(operation: "write", path: Path("/refused"), code: ENOSPC)), 11),
      (
        .secretRefused(
          ServerReply(.unspecified),
          OfferedSecret(.inline([]), of: "a", user: "u", host: "h")
        ), 10
      ),
      (.hungUp(ServerReply(.unspecified)), 9),
    ]
    for (failure, left) in cases {
      var interference = MemoryServer.Interference()
      interference.failure = failure
      let server = RateLimitedServer(MemoryServer(MemoryContent(), interference), loginState)
      #expect(throws: SyncFailure.self) { try server.open(isWriting: true, naming: .plain) }
      #expect(loginState.left == left, "\(failure)")
    }
  }

  @Test("where records cannot be read, nothing was sent")
  func records() throws {
    let loginState = loginState()
    let server = RateLimitedServer(MemoryServer(MemoryContent()), loginState)
    #expect(throws: SyncFailure.self) {
      try server.open(isWriting: true) { () throws(SyncFailure) in
        throw .newerState(Path("/summary"))
      }
    }
    #expect(loginState.left == 12)
  }
}
