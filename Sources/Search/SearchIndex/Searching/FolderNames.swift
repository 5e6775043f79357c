internal import Octets

/// The names by which queries call the folders of an index, found out when they are first asked for; for one thread at a time.
///
/// A query may name all folders of an account: to find out their names anew for each of these would take as long as their square.
final class FolderNames {
  private let folders: FolderTable
  /// What may stand before a name; nil for an index without an account.
  private let account: String?
  /// The folders of each name, by their numbers, which ascend.
  private lazy var numbers: [[UInt8]: [Int]] = {
    var numbers: [[UInt8]: [Int]] = [:]
    for number in folders.names.indices {
      for name in FolderWords.names(folders.name(number), account) {
        numbers[name, default: []].append(number)
      }
    }
    return numbers
  }()

  init(_ folders: FolderTable, _ account: String?) {
    (self.folders, self.account) = (folders, account)
  }

  /// The folders that are meant by a name.
  func folders(named value: [UInt8]) -> [Int] { numbers[FolderWords.trimmed(value), default: []] }

  /// The folders that are meant by a path, which may end in `**` for all below.
  func folders(below value: [UInt8]) -> [Int] {
    guard value.suffix(2) == [ASCII.asterisk, ASCII.asterisk] else { return folders(named: value) }
    return folders.names.indices.filter { FolderWords.isBelow(folders.name($0), account, value) }
  }
}
