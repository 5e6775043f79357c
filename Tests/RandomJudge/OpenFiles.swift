import Glibc

/// Which files the processes of Dovecot have open.
enum OpenFiles {
  /// Waits until none of them has a file below a folder: one whose client was killed goes on for a while.
  static func wait(below folder: String) {
    for _ in 0..<250 where areThere(below: folder + "/") { usleep(20_000) }
  }

  private static func areThere(below folder: String) -> Bool {
    let processes = Disk.names("/proc").filter { Int($0) != nil }
    return processes.contains { process in
      guard Disk.read("/proc/\(process)/comm") == Array("imap\n".utf8) else { return false }
      let open = "/proc/\(process)/fd"
      return Disk.names(open).contains { target(of: "\(open)/\($0)").hasPrefix(folder) }
    }
  }

  private static func target(of link: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(link, &buffer, buffer.count)
    return String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
