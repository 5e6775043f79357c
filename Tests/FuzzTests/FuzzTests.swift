import Glibc
import Octets
import TestSupport
import Testing

/// Mutations of what is known to be understood: none traps, hangs or breaks what has to be so of it.
///
/// The commit decides which; `MAGNUM_TURN` in the environment is another number, `MAGNUM_FUZZ` how many times as many are tried.
@Suite struct FuzzTests {
  private static let rounds =
    5000 * (getenv("MAGNUM_FUZZ").flatMap { Int(String(cString: $0)) } ?? 1)

  @Test(arguments: FuzzTarget.allCases)
  func whateverComesIsRead(_ target: FuzzTarget) throws {
    let seeds = try Self.seeds(of: target)
    #expect(seeds.count > 1)
    for seed in seeds { target.read(seed) }
    var random = SeededGenerator(seed: UInt64(Turn.number))
    for _ in 0..<Self.rounds {
      let seed = seeds.randomElement(using: &random) ?? []
      target.read(Self.mutated(seed, seeds, &random))
    }
  }

  /// What stands between the headings of the files that `Tests/fuzz/seeds` names for a target, and what fuzzing has found.
  private static func seeds(of target: FuzzTarget) throws -> [[UInt8]] {
    let table = try #require(Files.text(Fixtures.project("Tests/fuzz/seeds")))
    let line = table.split(separator: "\n").first { $0.hasPrefix("\(target.rawValue) ") }
    var seeds: [[UInt8]] = []
    for name in try #require(line).split(separator: " ").dropFirst() {
      let text = try #require(Files.text(Fixtures.project("Tests/\(name)")))
      seeds += sections(of: text).map { (try? Fixtures.unescape($0)) ?? Array($0.utf8) }
    }
    let folder = Fixtures.project("Tests/fuzz/corpus/\(target.rawValue)")
    seeds += Files.names(in: folder).compactMap { Files.read(Array("\(folder)/".utf8) + $0) }
    let isSession = target == .imap || target == .smtp
    return seeds.map { $0.prefix(4096) }.map { isSession ? session($0) : Array($0) }
  }

  private static func sections(of text: String) -> [String] {
    var sections: [String] = [""]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("=== ") || line.hasPrefix("--- ") {
        sections.append("")
      } else {
        sections[sections.count - 1] += line + "\n"
      }
    }
    return sections.dropFirst().filter { $0.utf8.count > 3 }
  }

  /// Lines as a server sends them, behind the octet that says how they are cut.
  private static func session(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    let lines = octets.split(separator: 10).map { line in
      line.starts(with: [60, 32]) || line.starts(with: [62, 32]) ? line.dropFirst(2) : line
    }
    return [96] + Array(lines.joined(separator: [13, 10])) + [13, 10]
  }

  private static func mutated(
    _ seed: [UInt8],
    _ seeds: [[UInt8]],
    _ random: inout SeededGenerator
  ) -> [UInt8] {
    var result = seed
    for _ in 0..<Int.random(in: 1...6, using: &random) where result.count > 2 {
      let place = Int.random(in: 0..<result.count, using: &random)
      let length = min(Int.random(in: 1...40, using: &random), result.count - place)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: result[place] = UInt8.random(in: 0...255, using: &random)
      case 1: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: result.removeSubrange(place..<place + length)
      case 3: result.insert(contentsOf: result[place..<place + length], at: place)
      case 4:
        let marks = Array("\0\n\r \"(),-.:;<=>?@[\\]{}~9".utf8)
        result[place] = marks.randomElement(using: &random) ?? 0
      case 5:
        let other = seeds.randomElement(using: &random) ?? []
        result.insert(contentsOf: other.prefix(length), at: place)
      default: result.removeLast(length)
      }
    }
    return result
  }
}
