internal import MailModel
internal import Octets
internal import Sendmail

extension Explanation {
  /// Why a file of aliases, or a list that stands in one, is not used, and what to do about it.
  init(_ problem: AliasFileProblem, in file: [UInt8], includedAt place: AliasPlace? = nil) {
    let path = Printable.text(file)
    let words = place == nil ? problem.words : ":include:\(path): \(problem.words)"
    self.init(
      .configuration,
      place: place?.display ?? path,
      words,
      hint: problem.hint
    )
  }
}

extension AliasPlace {
  /// The file and the line, as errors name them.
  var display: String { "\(Printable.text(file)):\(line)" }
}

extension AliasFileProblem {
  fileprivate var words: String {
    switch self {
    case .relative: "is no absolute path"
    case .missing: "there is no such file"
    case .unreadable(let reason): reason
    case .notAFile: "is no ordinary file"
    case .tooLong(let limit): "is longer than \(limit >> 20) MiB"
    case .untrusted(let words, _): words
    case .empty: "holds no address"
    case .loop: "includes itself, or lists include each other too deep"
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .relative: "begin it with a slash"
    case .untrusted(_, let remedy): remedy
    case .unreadable: "the user who sends must be able to read it"
    case .missing, .notAFile, .tooLong, .empty, .loop: nil
    }
  }
}
