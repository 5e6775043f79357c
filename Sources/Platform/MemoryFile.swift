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

  /// All that was written, but for what lies behind the limit.
  package func octets(limit: Int) -> [UInt8] {
    let size = min(Int(lseek(descriptor, 0, SEEK_END)), limit)
    guard size > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
  }
}
