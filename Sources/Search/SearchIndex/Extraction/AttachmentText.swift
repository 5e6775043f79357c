package import Configuration
internal import Octets
internal import Platform

/// The text that a filter makes of one attachment when it is asked for: confined, whatever the configuration says.
package struct AttachmentText {
  private let filters: TextFilters
  private let cache: TextCache
  private let isKept: Bool

  /// - Parameters:
  ///   - filters: the filters by types.
  ///   - cache: where texts are that were made before.
  ///   - isKept: whether a text that is made is kept there.
  package init(_ filters: TextFilters, cache: TextCache = .own, isKept: Bool) {
    (self.filters, self.cache, self.isKept) = (filters, cache, isKept)
  }

  /// The text of an attachment.
  ///
  /// - Parameters:
  ///   - octets: the attachment, decoded.
  ///   - type: what it holds, in small letters.
  ///   - seconds: how long a filter may take.
  /// - Returns: what came of it; nil where there is no filter, it cannot be confined, or it was stopped.
  package func make(
    of octets: [UInt8],
    _ type: [UInt8],
    seconds: Double
  ) -> FilteredText? {
    guard let filter = filters.filter(for: type) else { return nil }
    let name = cache.name(octets, filter)
    if let known = cache.text(name) { return known }
    var limits = LimitedProcess.Limits()
    limits.seconds = min(limits.seconds, seconds)
    let process = LimitedProcess(filter.command, isConfined: true, limits: limits)
    guard let text = Self.outcome(of: process, octets) else { return nil }
    // One that has more time may make a text of it.
    if isKept, text != .failed(.tooSlow) { cache.keep(text, name) }
    return text
  }

  private static func outcome(of process: LimitedProcess, _ octets: [UInt8]) -> FilteredText? {
    do throws(LimitedProcess.Failure) {
      let (end, output) = try process.run(on: octets, interruption: Interruption())
      return FilteredText(end, output)
    } catch {
      return nil
    }
  }
}

extension FilteredText {
  /// What the end of a filter and its output mean; nil where it was stopped.
  init?(_ end: LimitedProcess.End, _ output: some Collection<UInt8>) {
    switch end {
    case .exited(0): self = .text(Array(output.prefix(Extraction.textLimit)))
    case .exited(let status): self = .failed(.status(Int(status)))
    case .signalled(let number): self = .failed(.signal(Int(number)))
    case .timedOut: self = .failed(.tooSlow)
    case .outputTooLong: self = .failed(.tooLong)
    case .tooManyProcesses: self = .failed(.tooManyProcesses)
    case .tooMuchMemory: self = .failed(.tooMuchMemory)
    case .interrupted: return nil
    }
  }
}
