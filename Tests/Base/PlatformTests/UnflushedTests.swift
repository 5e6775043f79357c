import Glibc
import Platform
import TestSupport
import Testing

@Suite struct UnflushedTests {
  /// What could not be flushed fails its owner alone, whether each file is flushed by itself or the file system.
  @Test(arguments: [Unflushed.few, 0])
  func eachOwnerHasItsError(_ few: Int) throws {
    let directory = try TempDirectory("unflushed")
    for name in ["a/file", "b/file"] { try directory.write("text", to: name) }
    let root = Path(directory.path)
    var whole = Unflushed(file: root.appending("a/file"))
    whole.add(data: root.appending("b/file"))
    whole.add(directory: root)
    let lost = Unflushed(file: root.appending("gone/file"))
    let lostNames = Unflushed(directory: root.appending("gone"))
    let errors = Unflushed.flush([whole, lost, Unflushed(), lostNames, whole], eachUpTo: few)
    #expect(errors.map { $0?.isNotFound } == [nil, true, nil, true, nil])
    try whole.flush()
    #expect(throws: SystemError.self) { try lost.flush() }
  }

  /// A file system is flushed once for contents and once for names, however many there are; few are flushed one by one.
  @Test(arguments: [(2, 8), (Unflushed.few, 4 * Unflushed.few), (Unflushed.few + 1, 4), (500, 4)])
  func manyCostNoMore(_ count: Int, _ points: Int) async throws {
    let directory = try TempDirectory("unflushed")
    for number in 1...count { try directory.write("", to: "\(number)/file") }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [count, points, root = directory.path as String] in
      let changes = (1...count).map { number in
        var changes = Unflushed(file: Path("\(root)/\(number)/file"))
        changes.add(directory: Path("\(root)/\(number)"))
        return changes
      }
      FaultPoint.arm(killingAt: points + 1, error: nil)
      guard Unflushed.flush(changes).allSatisfy({ $0 == nil }) else { exit(1) }
      // The next point, which no flush has passed.
      try Unflushed(directory: Path(root)).flush()
      exit(2)
    }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [count, points, root = directory.path as String] in
      FaultPoint.arm(killingAt: points, error: nil)
      _ = Unflushed.flush(
        (1...count).map { number in
          var changes = Unflushed(file: Path("\(root)/\(number)/file"))
          changes.add(directory: Path("\(root)/\(number)"))
          return changes
        }
      )
      exit(0)
    }
  }
}
