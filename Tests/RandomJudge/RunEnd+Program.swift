import Glibc
import TestSupport

extension RunEnd {
  /// The end of the real program, by its status and by what it printed.
  init(_ outcome: TestSupport.Outcome) {
    switch outcome.end {
    case .exited(let status): self.init(status: status)
    case .signalled(let signal): self.init(status: -signal)
    case .timedOut: self.init(status: -SIGALRM)
    }
    for line in outcome.errorLines {
      if line.hasPrefix("magnum-sync: ") {
        problems.append(line)
      } else if line.hasPrefix("hint: "), let last = problems.popLast() {
        problems.append("\(last): \(line)")
      } else {
        words.append(line)
      }
    }
    words += outcome.lines
    for line in words {
      if let name = Self.detached(line) { detached.insert(name) }
      if line.contains("  daily-limit of ") { left = 1 }
    }
  }

  /// The file that a line says is detached.
  private static func detached(_ line: String) -> String? {
    guard line.contains(" (no longer on the server)"), let mark = line.firstRange(of: "detach ")
    else { return nil }
    return String(line[mark.upperBound...].prefix { $0 != " " })
  }
}
