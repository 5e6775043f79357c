import Glibc
import Platform
import TestSupport
import Testing
import Hashing
import Transport

@Suite("tunnels")
struct TunnelTests {
  @Test("octets go through the command")
  func cat() throws {
    let stream = try ByteStream.tunnel(.arguments(["cat"]), interruption: nil)
    let octets = Hashes.random(1 << 20)
    #expect(try stream.converse(sending: octets, receiving: octets.count) == octets)
    #expect(!stream.isEncrypted)
  }

  /// Commands that say something and end, and how.
  private static let endings: [(String, String)] = [
    ("printf hello", "closed"),
    ("printf hello; exit 3", "ended: exited(3)"),
    ("printf hello; kill -9 $$", "ended: signalled(9)"),
    ("printf hello; exec no-such-command-anywhere 2>/dev/null", "ended: exited(127)"),
  ]

  @Test("the end of the command", arguments: endings)
  func ending(_ command: String, _ expected: String) throws {
    let stream = try ByteStream.tunnel(.shell(command), interruption: nil)
    let (octets, end) = stream.receiveAll()
    #expect(octets == Array("hello".utf8))
    #expect(Facts.text(end) == expected)
  }

  @Test("a command that is not there")
  func missing() {
    let error = #expect(throws: TransportError.self) {
      try ByteStream.tunnel(.arguments(["/no/such/command"]), interruption: nil)
    }
    #expect(error.map(Facts.text) == "cannot start: No such file or directory")
  }

  @Test("a command that closes its output and goes on is ended")
  func lingering() throws {
    let stream = try ByteStream.tunnel(.shell("exec <&- >&-; sleep 60"), interruption: nil)
    let start = Stopwatch.now()
    #expect(stream.receiveAll().end == .tunnel(.ended(.signalled(SIGTERM), nil)))
    #expect(Stopwatch.now() - start < 15)
  }

  @Test("closing ends the command: by the end of its input, else by a signal")
  func close() throws {
    let directory = try TempDirectory("tunnel")
    let script = #"echo $$ > "\#(directory.path)/pid"; echo x; exec cat > /dev/null"#
    let stream = try ByteStream.tunnel(.shell(script), interruption: nil)
    _ = try stream.converse(receiving: 2)
    let number = try #require(Files.text(directory["pid"]).flatMap { Int32($0.dropLast()) })
    #expect(kill(number, 0) == 0)
    stream.close()
    #expect(kill(number, 0) == -1)
  }

  @Test("TLS through a command")
  func secured() throws {
    let peer = try TLSPeer()
    // bash and its /dev/tcp stand for ssh, which is not everywhere.
    let relay = "exec 3<>/dev/tcp/127.0.0.1/\(peer.port); cat <&3 & exec cat >&3"
    let command = ChildProcess.Command.arguments(["bash", "-c", relay])
    let stream = try ByteStream.tunnel(command, interruption: nil)
    let policy = try TLSPolicy(host: "localhost", trustFile: Path(Certificates.path("ca.pem")))
    try stream.startTLS(policy, deadline: .after(seconds: Peer.timeout))
    #expect(try stream.converse(sending: Array("abc\n".utf8), receiving: 4) == Array("cba\n".utf8))
  }

  @Test("a deadline and an interruption end the wait")
  func waits() throws {
    let interruption = Interruption()
    let stream = try ByteStream.tunnel(.arguments(["cat"]), interruption: interruption)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(throws: TransportError.timedOut(.exchange)) {
      try stream.step([], &buffer, .after(seconds: 0.1))
    }
    interruption.request()
    #expect(throws: TransportError.interrupted) { try stream.step([], &buffer, .never) }
  }
}
