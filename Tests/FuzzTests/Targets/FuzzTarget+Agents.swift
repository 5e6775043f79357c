import AgentPlan
import JSON
import Octets

/// Lines of a client of `magnum mcp`, and the texts of mail that it gets.
extension FuzzTarget {
  /// Every answer is a line of JSON that the standard allows, however the octets come; texts are clean and in pages.
  static func readAgentProtocol(_ octets: [UInt8]) {
    let whole = answers(to: [octets[...]])
    precondition(whole == answers(to: pieces([0] + octets)))
    for answer in whole {
      precondition(!answer.contains(ASCII.lineFeed))
      precondition((try? JSONValue(answer)) != nil)
    }
    var clean = CleanText()
    let text = clean.text(octets)
    precondition(CleanText.isClean(text))
    let pages = TextPages(QuotedLines.removed(from: text).text)
    for number in 1...pages.count {
      precondition((pages.page(number) ?? []).count <= TextPages.size)
    }
    for url in TextLinks.all(in: text, limit: 20) { _ = TextLinks.host(of: url) }
    if let cursor = SearchCursor(String(decoding: octets.prefix(200), as: UTF8.self)) {
      precondition(SearchCursor(cursor.text) == cursor)
    }
    if let window = UsageWindow(octets, kinds: 4) {
      precondition(UsageWindow(window.text, kinds: 4) == window)
    }
  }

  private static func answers(to pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
    var (frames, session) = (LineFrames(), ProtocolSession(version: "1"))
    let messages = pieces.flatMap { frames.add($0) } + frames.ended()
    return messages.compactMap { message -> JSONValue? in
      switch message {
      case .ignored, .cancellation: return nil
      case .invalid(let error, let id): return ProtocolAnswer.failure(error, to: id)
      case .request(let request):
        switch session.step(request, offering: AgentTool.allCases) {
        case .answered(let answer): return answer
        case .call(let call):
          do throws(ToolFailure) { try call.tool.check(call.arguments) } catch {
            return session.answer(call, .failed(error))
          }
          return session.answer(call, .result(call.arguments))
        }
      }
    }.map(\.text)
  }
}
