import Glibc
import Platform
import TestSupport
import Transport

/// A port on loopback that does not answer: the queue of its listener is full.
final class Blackhole {
  let port: UInt16
  private let listener: Int32
  private var fillers: [ByteStream] = []

  init() throws {
    (listener, port) = try Loopback.listen()
    listen(listener, 0)
    while let filler = connect() {
      fillers.append(filler)
      guard fillers.count < 16 else { throw HarnessError("the queue does not fill") }
    }
  }

  deinit {
    fillers = []
    close(listener)
  }

  private func connect() -> ByteStream? {
    try? ByteStream.connect(
      host: "127.0.0.1",
      port: port,
      deadline: .after(seconds: 0.2),
      interruption: nil
    )
  }
}
