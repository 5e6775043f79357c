import Glibc

/// Plain file access for tests, written apart from the code under test.
package enum Files {
  /// The whole content of a file; nil when it cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
    read(Array(path.utf8))
  }

  /// The whole content of a file whose name need not be UTF-8; nil when it cannot be read.
  package static func read(_ path: [UInt8]) -> [UInt8]? {
    let descriptor = withCPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return count == 0 ? content : nil }
      content += buffer[..<count]
    }
  }

  /// The content of a file as text; nil when it cannot be read.
  package static func text(_ path: String) -> String? {
    read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes a file in place of what was there.
  ///
  /// - Throws: `HarnessError` when it cannot.
  package static func write(_ octets: some Collection<UInt8>, to path: String, mode: UInt32 = 0o644)
    throws
  {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw HarnessError(call: "open \(path)", code: errno) }
    defer { close(descriptor) }
    fchmod(descriptor, mode)
    try writeAll(Array(octets), to: descriptor)
  }

  /// Writes a text file in place of what was there.
  ///
  /// - Throws: `HarnessError` when it cannot.
  package static func write(_ text: String, to path: String, mode: UInt32 = 0o644) throws {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  /// Writes all octets to a descriptor, waiting where it blocks.
  ///
  /// - Throws: `HarnessError` when the other side is gone or the disk is full.
  package static func writeAll(_ octets: [UInt8], to descriptor: Int32) throws {
    var rest = octets[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw HarnessError(call: "write", code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether something has that name; symbolic links are not followed.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether that is a directory; symbolic links are not followed.
  package static func isDirectory(_ path: String) -> Bool {
    isDirectory(Array(path.utf8))
  }

  /// Whether that is a directory, whose name need not be UTF-8.
  package static func isDirectory(_ path: [UInt8]) -> Bool {
    var status = stat()
    return withCPath(path) { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes a directory and the missing ones above it.
  ///
  /// - Throws: `HarnessError` when it cannot.
  package static func makeDirectories(_ path: String, mode: UInt32 = 0o755) throws {
    if isDirectory(path) || path.isEmpty { return }
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      try makeDirectories(String(path[..<slash]), mode: mode)
    }
    guard mkdir(path, mode) == 0 || errno == EEXIST else {
      throw HarnessError(call: "mkdir \(path)", code: errno)
    }
  }

  /// The names in a directory in the order of their octets, without "." and ".."; empty when unreadable.
  package static func names(in directory: String) -> [[UInt8]] {
    names(in: Array(directory.utf8))
  }

  /// The names in a directory whose own name need not be UTF-8.
  package static func names(in directory: [UInt8]) -> [[UInt8]] {
    guard let stream = withCPath(directory, { opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var found: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != [46], name != [46, 46] { found.append(name) }
    }
    return found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Removes a file or a whole tree, whatever its modes; what is not there is no error.
  package static func removeTree(_ path: String) {
    removeTree(Array(path.utf8))
  }

  /// Removes a file or a whole tree whose name need not be UTF-8.
  package static func removeTree(_ path: [UInt8]) {
    if withCPath(path, { unlink($0) }) == 0 || errno == ENOENT { return }
    _ = withCPath(path) { chmod($0, 0o700) }
    for name in names(in: path) { removeTree(path + [47] + name) }
    _ = withCPath(path) { rmdir($0) }
  }

  /// Whether a process of that name has a file open whose path begins like that.
  package static func isOpen(below prefix: String, by program: String) -> Bool {
    for octets in names(in: "/proc") {
      let process = "/proc/\(String(decoding: octets, as: UTF8.self))"
      guard text("\(process)/comm") == "\(program)\n" else { continue }
      for number in names(in: "\(process)/fd") {
        let link = "\(process)/fd/\(String(decoding: number, as: UTF8.self))"
        if target(of: link)?.hasPrefix(prefix) == true { return true }
      }
    }
    return false
  }

  /// Where a symbolic link points to; nil when it is none.
  package static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(link, &buffer, buffer.count)
    return count < 0
      ? nil : String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Calls `body` with the path as a C string; the path must hold no NUL.
  package static func withCPath<R>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
    (path + [0]).withUnsafeBufferPointer { octets in
      octets.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { preconditionFailure("never empty") }
        return body(start)
      }
    }
  }
}
