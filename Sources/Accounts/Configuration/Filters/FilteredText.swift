internal import Octets

/// What a filter made of an attachment.
package enum FilteredText: Hashable, Sendable {
  /// Its text: UTF-8.
  case text([UInt8])
  /// None, and why.
  case failed(FilterFailure)
}

/// Why a filter made no text of an attachment, by the fault of either.
package enum FilterFailure: Hashable, Sendable {
  /// It ended with this status.
  case status(Int)
  /// A signal ended it: it crashed, or took more memory or time of the processor than it may.
  case signal(Int)
  /// It took longer than it may.
  case tooSlow
  /// It wrote more than it may.
  case tooLong
  /// It made more processes than it may.
  case tooManyProcesses
  /// It was killed, since its processes took more memory together than they may.
  case tooMuchMemory

  /// Whether the filter used more than it may: one that does so again and again is left alone for a while.
  package var isExcess: Bool {
    switch self {
    case .tooSlow, .tooLong, .tooManyProcesses, .tooMuchMemory: true
    case .status, .signal: false
    }
  }

  /// What happened, behind the name of the filter: `ended with status 1`.
  package var words: String {
    switch self {
    case .status(let status): "ended with status \(status)"
    case .signal(let number): "was ended by signal \(number)"
    case .tooSlow: "took too long"
    case .tooLong: "wrote too much"
    case .tooManyProcesses: "made too many processes"
    case .tooMuchMemory: "took too much memory"
    }
  }
}

// What is kept of it: a line that says how it went, with a checksum of the text behind it.
extension FilteredText {
  private static let mark = "magnum-text 1 "

  /// The octets of the file.
  package var octets: [UInt8] {
    switch self {
    case .text(let text): Array("\(Self.mark)text \(Self.checksum(text))\n".utf8) + text
    case .failed(let failure): Array("\(Self.mark)\(failure.code)\n".utf8)
    }
  }

  /// What a file says; nil for one that was not written so, or by another version, or not to its end.
  package init?(_ octets: [UInt8]) {
    guard let end = octets.firstIndex(of: ASCII.lineFeed), octets.starts(with: Self.mark.utf8)
    else { return nil }
    let code = String(decoding: octets[Self.mark.utf8.count..<end], as: UTF8.self)
    let text = Array(octets[(end + 1)...])
    if let failure = FilterFailure(code: code) {
      self = .failed(failure)
    } else if code == "text \(Self.checksum(text))" {
      self = .text(text)
    } else {
      return nil
    }
  }

  private static func checksum(_ text: [UInt8]) -> String {
    String(decoding: Hex.digits(Hash64.of(text)), as: UTF8.self)
  }
}

extension FilterFailure {
  fileprivate var code: String {
    switch self {
    case .status(let status): "status \(status)"
    case .signal(let number): "signal \(number)"
    case .tooSlow: "slow"
    case .tooLong: "long"
    case .tooManyProcesses: "processes"
    case .tooMuchMemory: "memory"
    }
  }

  fileprivate init?(code: String) {
    let words = code.split(separator: " ", omittingEmptySubsequences: false)
    switch (words.first, words.count == 2 ? Int(words[1]) : nil) {
    case ("status", let status?): self = .status(status)
    case ("signal", let number?): self = .signal(number)
    default:
      let plain: [FilterFailure] = [.tooSlow, .tooLong, .tooManyProcesses, .tooMuchMemory]
      guard let failure = plain.first(where: { $0.code == code }) else { return nil }
      self = failure
    }
  }
}
