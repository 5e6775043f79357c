import Glibc
import MemoryStore

/// The server's mail in memory that the judge shares with the processes of its runs, so that it outlives them.
///
/// There are two places, and a word that says which of them counts: a process that is killed while it writes has
/// written nothing.
final class SharedMail {
  private static let placeSize = 1 << 22
  private let base: UnsafeMutableRawPointer

  /// A place for all scenes; nil where the system has no memory for it.
  init?() {
    let pointer = mmap(
      nil,
      2 * Self.placeSize + 4096,
      PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS,
      -1,
      0
    )
    guard let pointer, pointer != MAP_FAILED else { return nil }
    base = pointer
  }

  deinit { munmap(base, 2 * Self.placeSize + 4096) }

  private func place(_ number: UInt64) -> UnsafeMutableRawPointer {
    base + 4096 + Int(number % 2) * Self.placeSize
  }

  /// Keeps the mail.
  func keep(_ content: MemoryContent) {
    let octets = content.octets
    precondition(octets.count + 8 <= Self.placeSize, "too much mail")
    let next = base.load(as: UInt64.self) + 1
    let place = place(next)
    place.storeBytes(of: UInt64(octets.count), as: UInt64.self)
    UnsafeMutableRawBufferPointer(start: place + 8, count: octets.count).copyBytes(from: octets)
    base.storeBytes(of: next, as: UInt64.self)
  }

  /// What was kept last; nil where nothing was.
  var content: MemoryContent? {
    let place = place(base.load(as: UInt64.self))
    let count = Int(place.load(as: UInt64.self))
    return MemoryContent(octets: Array(UnsafeRawBufferPointer(start: place + 8, count: count)))
  }
}
