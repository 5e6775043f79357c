import Glibc

/// Everything about a folder that a program could have changed: names, kinds, modes, times, inodes, content.
package struct TreeSnapshot: Sendable, Equatable {
  /// What is known about each path below the root.
  package private(set) var entries: [OctetName: String] = [:]

  private let isDetailed: Bool

  /// Looks at a folder.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - isDetailed: False leaves out inodes and times, to compare two copies.
  package init(_ root: String, isDetailed: Bool = true) {
    self.isDetailed = isDetailed
    visit(Array(root.utf8), [])
  }

  /// The lines that one has and the other has not.
  package func differences(from other: TreeSnapshot) -> [String] {
    let gone = other.entries.filter { entries[$0.key] != $0.value }.map {
      "- \($0.key) \($0.value)"
    }
    let come = entries.filter { other.entries[$0.key] != $0.value }.map {
      "+ \($0.key) \($0.value)"
    }
    return (gone + come).sorted()
  }

  private mutating func visit(_ path: [UInt8], _ relative: [UInt8]) {
    var status = stat()
    guard Files.withCPath(path, { lstat($0, &status) }) == 0 else { return }
    let isDirectory = status.st_mode & S_IFMT == S_IFDIR
    var line = "mode \(String(status.st_mode, radix: 8))"
    if !isDirectory { line += " size \(status.st_size)" }
    if isDetailed {
      line += " inode \(status.st_ino) modified \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
      line += " changed \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
    }
    if status.st_mode & S_IFMT == S_IFREG {
      line += " hash \(TreeSnapshot.hash(Files.read(path) ?? []))"
    }
    entries[OctetName(relative)] = line
    guard isDirectory else { return }
    for name in Files.names(in: path) {
      visit(path + [47] + name, relative + [47] + name)
    }
  }

  /// A hash of octets, for comparison only (FNV-1a).
  package static func hash(_ octets: [UInt8]) -> String {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325
    octets.withUnsafeBufferPointer { octets in
      for octet in octets { value = (value ^ UInt64(octet)) &* 0x100_0000_01b3 }
    }
    return String(value, radix: 16)
  }
}
