internal import CommandLine
internal import MailModel
internal import MIME
internal import Octets
internal import Query
internal import SearchIndex
internal import Terminal
internal import Threads

// Messages and threads as JSON.
extension ShowCommand {
  /// Threads as notmuch nests them: an array of threads, each an array of messages with the answers to them.
  func showJSON() throws(Explanation) {
    let text = target
    let dates = RelativeDate(now: now)
    // As notmuch does: a file among several is asked for in the place of the message.
    if options.nthPart == 0 || options.duplicate != nil { return try showAlone(dates) }
    if let messages = options.unthreaded ? try messages() : try named() {
      let threads = try messages.map { (message) throws(Explanation) in
        Array("[[".utf8) + (try json(message, dates)) + Array(",[]]]".utf8)
      }
      return print(
        json: [ASCII.openBracket] + threads.joined(separator: Array(",\n".utf8))
          + [ASCII.closeBracket, ASCII.lineFeed]
      )
    }
    let query = try query(text)
    let set = try set()
    for reason in try set.leftOut?.leftOut(of: query) ?? [] { context.report(reason) }
    let threads: [FoundThread]
    do throws(IndexError) {
      let order: SearchOrder = options.sort == .oldestFirst ? .oldestFirst : .newestFirst
      threads = try set.threads(query, order, limit: options.limit)
    } catch {
      throw Explanation(error, place: "index")
    }
    if threads.isEmpty { throw ShowExplanation.nothing(text) }
    for (number, thread) in threads.enumerated() {
      print(json: Array((number == 0 ? "[" : ",\n").utf8))
      try show(thread, set, dates)
    }
    print(json: Array("]\n".utf8))
  }

  /// One message, not in a thread.
  private func showAlone(_ dates: RelativeDate) throws(Explanation) {
    let messages = try messages()
    guard messages.count == 1 else { throw ShowExplanation.ambiguous(messages.count) }
    print(json: try json(messages[0], dates) + [ASCII.lineFeed])
  }

  private func json(
    _ message: ShownMessage,
    _ dates: RelativeDate
  ) throws(Explanation) -> [UInt8] {
    let reading = try protection.read(message.message)
    let wishes = ShownPart.Wishes(
      prefersHTML: options.html,
      includesHTML: options.includeHTML,
      room: max(0, room.left)
    )
    var message = message
    message.sender = senders.verdict(on: message)
    message.unsubscribed = senders.unsubscribed(message.message.header, at: message.path)
    message.bounces = bounces.recipients(of: message)
    message.invitation = invitation(in: reading, of: message)
    let octets = message.json(options.body == .true ? wishes : nil, dates, reading).octets
    room.left -= octets.count
    return octets.dropLast()
  }

  private func print(json: [UInt8]) {
    console.print(octets: options.format == .sexp ? SexpText.of(json: json) : json)
  }

  /// One message after another, however many there are and however deep the answers go; null for one that is gone, or
  /// that was not found and is not wanted.
  private func show(
    _ thread: FoundThread,
    _ set: SearchSet,
    _ dates: RelativeDate
  ) throws(Explanation) {
    var nesting = Nesting()
    for (place, depth) in ThreadTree(thread.messages.map(\.member)).flattened {
      let found = thread.messages[place]
      let isWanted = found.isMatch || options.entireThread == .true
      let message = isWanted ? try shown(found, set) : nil
      let json = try message.map { (message) throws(Explanation) in try self.json(message, dates) }
      print(json: nesting.add(json ?? Array("null".utf8), depth: depth))
    }
    print(json: nesting.end)
  }
}
