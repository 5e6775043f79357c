package import Octets

/// Octets that come piece by piece and are read afterwards: few in memory, more in a file that no other process can open.
package struct OctetBuffer: ~Copyable {
  /// How many are kept in memory.
  private static let memoryLimit = 1 << 20

  private var octets: [UInt8] = []
  private var file: Descriptor?

  /// How many were added.
  package private(set) var count = 0

  /// Whether octets that begin so stay in memory, however many follow.
  private let isSecret: ([UInt8]) -> Bool
  private var staysInMemory = false

  /// A buffer without octets.
  ///
  /// - Parameter isSecret: whether octets that begin so must not be in a file; asked once, with those that fill the memory.
  package init(isSecret: @escaping ([UInt8]) -> Bool = { _ in false }) {
    self.isSecret = isSecret
  }

  /// Adds octets.
  ///
  /// - Throws: the error of making or writing the file.
  package mutating func append(_ piece: ArraySlice<UInt8>) throws(SystemError) {
    count += piece.count
    octets += piece
    guard octets.count > Self.memoryLimit, !staysInMemory else { return }
    if file == nil {
      staysInMemory = isSecret(octets)
      if staysInMemory { return }
      file = try Self.namelessFile()
    }
    try file?.write(all: octets)
    octets.removeAll(keepingCapacity: true)
  }

  /// The octets that were added.
  ///
  /// - Throws: the error of writing the file.
  package consuming func finish() throws(SystemError) -> any OctetSource {
    guard let file = file.take() else { return octets }
    if !octets.isEmpty { try file.write(all: octets) }
    return try FileOctets(file)
  }

  /// A file without a name: it goes with the program.
  private static func namelessFile() throws(SystemError) -> Descriptor {
    let directory = Environment.largeTemporaryDirectory
    while true {
      let name = "magnum-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
      let path = directory.appending(name)
      do throws(SystemError) {
        let file = try Descriptor.open(path, .createExclusive(0o600))
        try FileSystem.remove(path)
        return file
      } catch {
        guard error.isAlreadyThere else { throw error }
      }
    }
  }
}
