import Octets
import TestSupport
import Threads

/// The messages of a fixture, each known by a letter.
struct Letters {
  var names: [String] = []
  var members: [ThreadMember] = []

  init(_ lines: [String]) {
    for line in lines {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmed }
      let head = parts[0].split(separator: " ")
      names.append(String(head[0]))
      members.append(
        ThreadMember(
          id: Array(head[0].utf8),
          inReplyTo: Self.ids(parts[2]),
          references: Self.ids(parts[1]),
          subject: Array(parts[3].utf8),
          date: (Int64(head[1]) ?? 0) * 86_400,
          addresses: parts.count > 4 ? Self.ids(parts[4]) : []
        )
      )
    }
  }

  /// The threads as words of letters, sorted.
  func words(of threads: [[Int]]) -> [String] {
    threads.map { $0.map { names[$0] }.sorted().joined() }.sorted()
  }

  private static func ids(_ text: String) -> [[UInt8]] {
    text.split(separator: " ").map { Array($0.utf8) }
  }
}

extension Substring {
  var trimmed: String {
    let rest = drop { $0 == " " }
    return String(rest.reversed().drop { $0 == " " }.reversed())
  }
}

/// All orders of the numbers below `count`.
func permutations(of count: Int) -> [[Int]] {
  guard count > 0 else { return [[]] }
  return permutations(of: count - 1).flatMap { order in
    (0..<count).map { place in
      var order = order
      order.insert(count - 1, at: place)
      return order
    }
  }
}
