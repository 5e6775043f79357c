internal import JSON
internal import Octets

/// A line from a client, read.
package enum IncomingMessage: Sendable {
  case request(ClientRequest)
  /// The request of that id is of no use now.
  case cancellation(RequestID)
  /// What needs no answer: a notification, or an answer to a question that was never asked.
  case ignored
  /// What cannot be understood, with the id where it has one.
  case invalid(ProtocolError, RequestID?)

  /// A longer line is not read.
  package static let lengthLimit = 1 << 20
  private static let valueLimit = 10_000

  /// The message of a line, without its end.
  ///
  /// What JSON-RPC 2.0 and all revisions of the protocol have in common is checked here.
  package init(_ line: [UInt8]) {
    let value: JSONValue
    do throws(JSONValue.Problem) {
      value = try JSONValue(line, valueLimit: Self.valueLimit)
    } catch {
      self = .invalid(.notJSON, nil)
      return
    }
    self.init(value)
  }

  /// A line that is longer than the limit, and was not read.
  package static let tooLong = IncomingMessage.invalid(.invalidRequest, nil)

  private init(_ value: JSONValue) {
    guard case .object = value, value.member("jsonrpc") == .string("2.0") else {
      self = .invalid(.invalidRequest, value.member("id").flatMap { RequestID($0) })
      return
    }
    let id = value.member("id").map { RequestID($0) }
    guard let method = value.member("method") else {
      let isAnswer = value.member("result") != nil || value.member("error") != nil
      self = isAnswer ? .ignored : .invalid(.invalidRequest, id ?? nil)
      return
    }
    guard case .string(let name) = method else {
      self = .invalid(.invalidRequest, id ?? nil)
      return
    }
    switch id {
    case nil: self = Self.notification(name, value.member("params"))
    case .some(nil): self = .invalid(.invalidRequest, nil)
    case .some(let id?):
      let parameters = value.member("params") ?? .object([])
      guard case .object = parameters else {
        self = .invalid(.invalidParameters, id)
        return
      }
      self = .request(ClientRequest(id: id, method: name, parameters: parameters))
    }
  }

  private static func notification(_ name: String, _ parameters: JSONValue?) -> IncomingMessage {
    guard name == "notifications/cancelled",
      let id = parameters?.member("requestId").flatMap({ RequestID($0) })
    else { return .ignored }
    return .cancellation(id)
  }
}

/// A request of a client.
package struct ClientRequest: Sendable {
  package let id: RequestID
  let method: String
  /// An object.
  let parameters: JSONValue
}

/// What is wrong with a request, by its code in JSON-RPC 2.0 and in the protocol.
package enum ProtocolError: Int, Error, Sendable {
  case notJSON = -32700
  case invalidRequest = -32600
  case unknownMethod = -32601
  case invalidParameters = -32602
  case tooManyWaiting = -32603
  case otherRevision = -32022

  /// A fixed sentence: nothing of the request stands in it.
  var message: String {
    switch self {
    case .notJSON: "the line is no JSON that is taken here"
    case .invalidRequest: "the line is no request"
    case .unknownMethod: "there is no such method"
    case .invalidParameters: "the parameters of the request are wrong, or there is no such tool"
    case .tooManyWaiting: "too many requests are waiting"
    case .otherRevision: "this revision of the protocol is not known"
    }
  }
}
