import Glibc

/// Which of many cases are tried where not all are: the commit decides, so that it passes tomorrow as it does today.
///
/// `MAGNUM_TURN` in the environment is another number.
package enum Turn {
  /// A number that the commit decides, 0 or more.
  package static let number: Int = given ?? commit() ?? 1

  /// One of so many cases is tried where the long tests try all of them.
  private static let share = 6

  /// The first of every `stride` cases that are counted from 0.
  package static func first(of stride: Int) -> Int { number % stride }

  /// Every how many fault points are to be tried, as MAGNUM_FAULT_STRIDE in the environment says; nil where each test
  /// decides.
  package static let givenStride = getenv("MAGNUM_FAULT_STRIDE").flatMap {
    Int(String(cString: $0))
  }

  /// Every how many fault points are tried: as many as asked for, or as the long tests try, or a share of those.
  package static func stride(_ long: Int) -> Int {
    givenStride ?? (runsLongTests ? long : share * long)
  }

  /// The numbers from 1 to `count` that are tried where every so many are.
  ///
  /// At least one is, where there is any, and the first is in the first half: the points of a run vary a little.
  package static func chosen(of count: Int, every stride: Int) -> [Int] {
    let first = 1 + first(of: min(stride, max(1, (count + 1) / 2)))
    return Array(Swift.stride(from: first, through: count, by: stride))
  }

  /// A share of some cases, which the commit chooses, and at least one; the long tests try all of them.
  package static func part<Case>(of all: [Case]) -> [Case] {
    guard !runsLongTests, !all.isEmpty else { return all }
    let first = first(of: min(share, all.count))
    return Swift.stride(from: first, to: all.count, by: share).map { all[$0] }
  }

  private static var given: Int? {
    getenv("MAGNUM_TURN").flatMap { Int(String(cString: $0)) }.map { max(0, $0) }
  }

  /// Nil outside of a repository.
  private static func commit() -> Int? {
    let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    let git = Command("git", ["-C", "/\(folder)", "rev-parse", "HEAD"])
    guard let outcome = try? git.run(), outcome.code == 0 else { return nil }
    return Int(outcome.output.prefix(12), radix: 16)
  }
}
