/// The short way through the options, for programs that ask a hundred times a second.
///
/// Reading options with ArgumentParser costs more than most answers. What is written in full and makes sense is read
/// here; for all else, help and mistakes among it, ``MagnumSearch`` is asked. A test holds both against each other.
enum QuickOptions {
  /// The options that arguments stand for; nil where anything about them is unusual.
  static func read(_ arguments: [String]) -> SearchOptions? {
    var options = SearchOptions()
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.utf8.first == UInt8(ascii: "-") else {
        options.query.append(word)
        continue
      }
      if takeFlag(word, &options) { continue }
      guard takesValue(word), let value = rest.popFirst(), value.utf8.first != UInt8(ascii: "-"),
        takeValue(word, value, &options)
      else { return nil }
    }
    do { try options.check() } catch { return nil }
    return options
  }

  private static func takeFlag(_ word: String, _ options: inout SearchOptions) -> Bool {
    switch word {
    case "-0": options.format = .text0
    case "--count": options.count = true
    case "--batch": options.batch = true
    case "--fail-empty": options.failEmpty = true
    default: return false
    }
    return true
  }

  private static func takesValue(_ word: String) -> Bool {
    [
      "--config", "--maildir", "--account", "--output", "--format", "--sort", "--limit", "--offset",
      "--exclude", "--links", "--stem",
    ].contains(word)
  }

  private static func takeValue(
    _ word: String,
    _ value: String,
    _ options: inout SearchOptions
  ) -> Bool {
    switch word {
    case "--config": options.config = value
    case "--maildir": options.maildirs.append(value)
    case "--account": options.accounts.append(value)
    case "--exclude": options.excludedTags.append(value)
    case "--links": options.links = value
    case "--stem": options.stem = value
    case "--output": return set(&options.output, SearchOptions.Output(rawValue: value))
    case "--format": return set(&options.format, SearchOptions.Format(rawValue: value))
    case "--sort": return set(&options.sort, SearchOptions.Sort(rawValue: value))
    case "--limit":
      options.limit = Int(value)
      return options.limit != nil
    case "--offset": return set(&options.offset, Int(value))
    default: return false
    }
    return true
  }

  private static func set<Value>(_ option: inout Value, _ value: Value?) -> Bool {
    guard let value else { return false }
    option = value
    return true
  }
}
