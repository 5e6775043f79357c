internal import CPlatform
internal import Glibc

/// A file without a name, in memory: what is written for another program before that can be told.
package final class MemoryFile: Sendable {
  /// To write to; open for as long as the file is there.
  package let descriptor: Int32

  /// An empty file.
  ///
  /// - Throws: the error of memfd_create(2).
  package init() throws(SystemError) {
    descriptor = try SystemCall.read("memfd_create", nil) { magnum_memory_file() }
  }

  deinit {
    _ = close(descriptor)
  }

  /// How many octets were written.
  package var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

  /// The whole lines that were written from this octet on, as many of them as the limit has room for.
  ///
  /// What another thread writes just now may be there without its end, and is left for the next call.
  package func lines(from start: Int = 0, limit: Int) -> [UInt8] {
    let room = min(size - start, limit)
    guard room > 0 else { return [] }
    let octets = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, room, off_t(start)))
    }
    let end = octets.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Array(octets[..<end])
  }
}
