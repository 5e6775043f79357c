import Glibc
import Platform

/// Files, for the judge itself; what fails makes a step do nothing.
enum Disk {
  /// A step cannot be done.
  struct Refused: Error {
    let what: String
  }

  /// The names in a directory, in order; none where there is no such directory.
  static func names(_ path: String) -> [String] {
    var found: [String] = []
    _ = try? FileSystem.entries(of: Path(path)) { name, _ in
      found.append(String(decoding: name, as: UTF8.self))
    }
    return found.sorted()
  }

  static func isDirectory(_ path: String) -> Bool {
    ((try? FileSystem.status(Path(path))) ?? nil)?.kind == .directory
  }

  static func exists(_ path: String) -> Bool {
    ((try? FileSystem.status(Path(path), followingLinks: false)) ?? nil) != nil
  }

  /// The directory that a file or directory is in.
  static func parent(_ path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
  }

  static func size(_ path: String) -> Int {
    Int(((try? FileSystem.status(Path(path))) ?? nil)?.size ?? 0)
  }

  static func read(_ path: String) -> [UInt8]? {
    (try? FileSystem.readFile(Path(path), limit: 1 << 24)) ?? nil
  }

  /// Writes a file, in its place where there is one, as of a moment in seconds since 1970.
  static func write(_ octets: [UInt8], to path: String, at moment: Int? = nil) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw Refused(what: path) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, octets, octets.count) == octets.count else {
      throw Refused(what: path)
    }
    guard let moment else { return }
    let time = timespec(tv_sec: moment, tv_nsec: 0)
    _ = futimens(descriptor, [time, time])
  }

  static func rename(_ from: String, to: String) throws {
    guard Glibc.rename(from, to) == 0 else { throw Refused(what: from) }
  }

  static func remove(_ path: String) throws {
    guard unlink(path) == 0 else { throw Refused(what: path) }
  }

  /// Makes a directory and those above it.
  static func make(_ path: String) throws {
    do {
      try FileSystem.makeDirectories(Path(path))
    } catch { throw Refused(what: path) }
  }

  /// Removes a directory with all that is in it.
  static func removeTree(_ path: String) {
    for name in names(path) {
      let inner = "\(path)/\(name)"
      if unlink(inner) != 0 { removeTree(inner) }
    }
    _ = rmdir(path)
  }

  /// Copies a directory with all that is in it, except for what is left out, with the times of the files.
  static func copyTree(
    _ from: String,
    to: String,
    leavingOut: (String) -> Bool = { _ in false }
  ) throws {
    try make(to)
    for name in names(from) {
      let (source, target) = ("\(from)/\(name)", "\(to)/\(name)")
      if leavingOut(source) { continue }
      if isDirectory(source) {
        try copyTree(source, to: target, leavingOut: leavingOut)
      } else {
        try copyFile(source, to: target)
      }
    }
  }

  /// Copies a file with its times.
  static func copyFile(_ source: String, to target: String) throws {
    guard let octets = read(source) else { throw Refused(what: source) }
    try write(octets, to: target)
    var status = stat()
    guard stat(source, &status) == 0 else { throw Refused(what: source) }
    _ = utimensat(AT_FDCWD, target, [status.st_atim, status.st_mtim], 0)
  }
}

/// Writes a line to standard output, without a buffer: the processes of runs are copies of this one.
func say(_ text: String) {
  let octets = Array((text + "\n").utf8)
  var done = 0
  while done < octets.count {
    let count = octets[done...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    done += count
  }
}
