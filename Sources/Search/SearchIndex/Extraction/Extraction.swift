package import Configuration
internal import Glibc
internal import MIME
package import Platform

/// Has filters make text of attachments, and takes it into an index in which the messages are already.
///
/// One attachment at a time is filtered, of the newest messages first; nothing is held meanwhile that a sync or a search would
/// wait for.
package struct Extraction {
  /// Octets of a text at most: what is behind them is left out.
  package static let textLimit = 2 << 20

  /// Attachments of a message that are filtered at most.
  private static let partLimit = 100

  /// After so many attachments in a row for which a filter used more than it may, it is left alone until the next run.
  private static let excessLimit = 3

  /// Seconds within which this program is asked to end, too, where a filter was.
  private static let endLimit = 0.3

  /// How many postings gather before they are written, and for how many seconds.
  private static let costLimit = 60_000
  private static let secondsLimit = 10.0

  private let index: SearchIndex
  private let settings: IndexFilterSettings
  private let limits: LimitedProcess.Limits
  private let cache: TextCache
  private let interruption: Interruption

  /// Seconds that a filter had before the end of the run, from which on the attachment is left to runs that wait for it.
  private static let slowSeconds = 3.0

  private var report = FilterReport()
  private var deadline = Deadline.never
  private var reader: TextReader
  private var gathered: [OpenedMessage] = []
  /// For how many attachments in a row a filter used more than it may.
  private var excess: [TextFilter: Int] = [:]
  private var hasKept = false

  /// - Parameters:
  ///   - index: the index.
  ///   - settings: the filters.
  ///   - limits: what each may use for an attachment.
  ///   - cache: where texts are kept.
  ///   - interruption: ends the work; what was done up to then is in the index.
  package init(
    _ index: SearchIndex,
    _ settings: IndexFilterSettings,
    limits: LimitedProcess.Limits = LimitedProcess.Limits(),
    cache: TextCache = .own,
    interruption: Interruption
  ) {
    self.index = index
    reader = TextReader(index)
    self.settings = settings
    self.limits = limits
    self.cache = cache
    self.interruption = interruption
  }

  /// Makes text of all attachments that lack it; durable on return.
  ///
  /// - Parameters:
  ///   - deadline: when it ends, also in the midst of an attachment. One that a filter has not done with after some seconds is
  ///     left to runs without a deadline.
  ///   - progress: told how many messages are done, of how many.
  /// - Returns: what came of it.
  /// - Throws: why the index could not be read or written.
  package mutating func extractTexts(
    until deadline: Deadline = .never,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(IndexError) -> FilterReport {
    guard !settings.filters.isEmpty else { return report }
    self.deadline = deadline
    let numbers = try index.messagesWithoutTexts(settings.filters.all.map(\.mark))
    var writing = Deadline.after(seconds: Self.secondsLimit)
    for (done, number) in numbers.enumerated() {
      guard !deadline.isPast, !interruption.isRequested, !isStopped else {
        report.left = numbers.count - done
        break
      }
      Heartbeat.give()
      progress(done, numbers.count)
      try gatherMessage(number)
      if writing.isPast || gathered.reduce(0, { $0 + $1.cost }) > Self.costLimit {
        try write()
        writing = .after(seconds: Self.secondsLimit)
      }
    }
    try write()
    if hasKept { cache.trim() }
    return report
  }

  /// Whether no further filter runs.
  private var isStopped: Bool { settings.filters.all.allSatisfy { report.isStopped($0) } }

  /// Whether the filter failed while this program was to end, which says nothing about the attachment.
  ///
  /// A service manager stops all processes of a service at once, perhaps the filter first.
  private func isStopped(with end: LimitedProcess.End) -> Bool {
    guard end != .exited(0) else { return false }
    if case .signalled(let number) = end, [SIGTERM, SIGINT, SIGHUP].contains(number) {
      return !interruption.sleep(seconds: Self.endLimit)
    }
    return interruption.isRequested
  }

  private mutating func write() throws(IndexError) {
    guard !gathered.isEmpty else { return }
    try index.replaceMessages(gathered)
    gathered = []
    reader.forgetIndex()
  }

  /// Gathers a message with its texts.
  private mutating func gatherMessage(_ number: UInt32) throws(IndexError) {
    guard var message = try index.open(number, &reader) else { return }
    var unfinished: Set<TextFilter> = []
    let parts = message.parts.lazy.filter { !$0.part.body.isEmpty }
    for (part, type) in parts.prefix(Self.partLimit) {
      guard let filter = settings.filters.filter(for: type) else { continue }
      guard let text = text(of: part, filter, in: message.id) else {
        unfinished.insert(filter)
        continue
      }
      if case .text(let octets) = text { reader.add(octets, to: &message) }
    }
    let finished = settings.filters.all.filter { filter in
      message.wants(filter.mark) && !unfinished.contains(filter)
    }
    guard !finished.isEmpty else { return }
    for filter in finished { message.finish(filter.mark) }
    gathered.append(message)
  }

  /// What a filter makes of a part; nil where it does not run.
  private mutating func text(
    of part: Part,
    _ filter: TextFilter,
    in message: [UInt8]
  ) -> FilteredText? {
    let octets = part.decoded
    let name = cache.name(octets, filter)
    if let known = cache.text(name) {
      if case .text = known { report.countText(isCached: true) }
      return known
    }
    guard !report.isStopped(filter), !interruption.isRequested, !deadline.isPast,
      deadline == .never || !cache.isSlow(name), let claim = cache.claim(name)
    else { return nil }
    // Another run may just have made it.
    if let known = cache.text(name) {
      if case .text = known { report.countText(isCached: true) }
      return known
    }
    guard let text = withExtendedLifetime(claim, { runFilter(filter, on: octets, name) }) else {
      return nil
    }
    hasKept = true
    count(text, filter, in: message)
    return text
  }

  private mutating func count(_ text: FilteredText, _ filter: TextFilter, in message: [UInt8]) {
    switch text {
    case .text:
      report.countText(isCached: false)
      excess[filter] = 0
    case .failed(let cause):
      report.count(cause, of: filter, in: message)
      excess[filter] = cause.isExcess ? excess[filter, default: 0] + 1 : 0
      if excess[filter] == Self.excessLimit { report.stop(filter, .excess) }
    }
  }

  /// Runs a filter; nil where it did not run to its end, but by its own fault.
  private mutating func runFilter(
    _ filter: TextFilter,
    on octets: [UInt8],
    _ name: [UInt8]
  ) -> FilteredText? {
    let left = deadline.remaining
    var limits = limits
    limits.seconds = min(limits.seconds, left)
    guard let text = runFilter(filter, on: octets, limits) else { return nil }
    if case .failed(.tooSlow) = text, limits.seconds < self.limits.seconds {
      if left >= Self.slowSeconds { cache.noteSlow(name) }
      return nil
    }
    cache.keep(text, name)
    return text
  }

  private mutating func runFilter(
    _ filter: TextFilter,
    on octets: [UInt8],
    _ limits: LimitedProcess.Limits
  ) -> FilteredText? {
    let process = LimitedProcess(
      filter.command,
      isConfined: !settings.isUnconfined,
      limits: limits
    )
    do throws(LimitedProcess.Failure) {
      let (end, output) = try process.run(on: octets, interruption: interruption)
      return isStopped(with: end) ? nil : FilteredText(end, output)
    } catch {
      switch error {
      case .refused(let cause):
        for filter in settings.filters.all { report.stop(filter, .refused(cause.description)) }
      case .notStarted(let cause): report.stop(filter, .notStarted(cause.description))
      }
      return nil
    }
  }
}

extension TextFilter {
  /// The filter as an index knows it.
  var mark: TextMark { TextMark(type: Array((mainType ?? type).utf8), key: key) }
}
