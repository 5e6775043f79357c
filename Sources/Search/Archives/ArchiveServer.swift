internal import JSON
internal import Maildir
internal import Octets
internal import Platform
internal import Query
package import SearchIndex

/// The other end of an archive: answers questions about indexes on this machine, a line each, until there are no more.
package struct ArchiveServer {
  private let set: SearchSet
  private let program: String
  private let send: ([UInt8]) -> Void

  /// Octets of a question at most; a longer line is none.
  package static let lineLimit = 8 << 20

  /// Values of a question: few, and then as many as octets allow that hold something.
  private static let (fewValues, octetsOfValue) = (1000, 4)

  /// Octets of a message in one item; its base64 is a line.
  private static let pieceSize = 48 * 1024

  /// - Parameters:
  ///   - set: what is asked.
  ///   - program: name and version, for the greeting.
  ///   - send: sends a line.
  package init(_ set: SearchSet, program: String, send: @escaping ([UInt8]) -> Void) {
    self.set = set
    self.program = program
    self.send = send
  }

  /// Says which protocol is spoken.
  package func greet() { send(ArchiveLine.greeting(program)) }

  /// Answers a line; what is no question is refused.
  ///
  /// - Returns: false where the line is too long: nothing is to be read behind it.
  package func answer(_ line: [UInt8]) -> Bool {
    guard line.count <= Self.lineLimit else {
      send(ArchiveLine.refusal(0, "no question: longer than \(Self.lineLimit >> 20) MiB").wire)
      return false
    }
    var number = 0
    let end: ArchiveLine
    do throws(Refusal) {
      let value = try question(line)
      number = try checked { () throws(WireMistake) in try value.wire("number").wireInteger() }
      for item in try items(value) { send(ArchiveLine.item(number, item).wire) }
      end = .end(number)
    } catch {
      end = .refusal(number, error.words)
    }
    send(end.wire)
    return true
  }

  private struct Refusal: Error {
    let words: String
  }

  private func send(_ line: JSONValue) { send(line.text + [ASCII.lineFeed]) }

  private func question(_ line: [UInt8]) throws(Refusal) -> JSONValue {
    let limit = Self.fewValues + line.count / Self.octetsOfValue
    do throws(JSONValue.Problem) { return try JSONValue(line, valueLimit: limit) } catch {
      throw Refusal(words: "no question: \(error.expected) is missing")
    }
  }

  private func checked<Result>(
    _ body: () throws(WireMistake) -> Result
  ) throws(Refusal) -> Result {
    do throws(WireMistake) { return try body() } catch {
      throw Refusal(words: "no question: \(error.expected) is missing")
    }
  }

  private func items(_ question: JSONValue) throws(Refusal) -> [JSONValue] {
    if question.member("ask") == .string("raw") { return try message(question) }
    let request = try checked { () throws(WireMistake) in try SearchRequest(wire: question) }
    switch try answer(request) {
    case .count(let count): return [.integer(count)]
    case .identities(let numbers): return IdentityList.items(numbers)
    case .messages(let messages): return messages.map(\.wire)
    case .ids(let ids): return ids.map(\.wire)
    case .threads(let threads): return threads.map(\.wire)
    }
  }

  private func answer(_ request: SearchRequest) throws(Refusal) -> SearchAnswer {
    do throws(IndexError) { return try set.answer(request) } catch {
      throw Refusal(words: error.message)
    }
  }

  /// The octets of a message in pieces; none where there is no such message, or its files are gone.
  private func message(_ question: JSONValue) throws(Refusal) -> [JSONValue] {
    let id = try checked { () throws(WireMistake) in try question.wire("id").wireOctets() }
    let request = SearchRequest.messages(.exact(.id, id), .newestFirst, limit: 1)
    guard case .messages(let found) = try answer(request),
      let path = found.first?.currentPath(),
      let octets = try? FileSystem.readFile(path, limit: 1 << 30)
    else { return [] }
    return stride(from: 0, to: max(octets.count, 1), by: Self.pieceSize).map { start in
      let piece = octets[start..<min(start + Self.pieceSize, octets.count)]
      return .string(String(decoding: Base64.encode(Array(piece)), as: UTF8.self))
    }
  }
}
