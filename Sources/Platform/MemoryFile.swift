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

  /// All that was written; where that is more than the limit, the lines that end before it.
  package func lines(limit: Int) -> [UInt8] {
    let written = size
    let size = min(written, limit)
    guard size > 0 else { return [] }
    let octets = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
    guard written > limit else { return octets }
    let end = octets.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Array(octets[..<end])
  }
}
