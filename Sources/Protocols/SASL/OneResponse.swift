/// The bookkeeping of mechanisms whose whole message is the initial response.
struct OneResponse: Sendable {
  private let message: [UInt8]
  private(set) var isSent = false

  init(_ message: [UInt8]) {
    self.message = message
  }

  /// The message, once it is time to send it.
  mutating func takeMessage() -> [UInt8] {
    isSent = true
    return message
  }

  /// The message for a server that asks for it with an empty challenge; `nil` when it was sent.
  mutating func takeMessage(for challenge: [UInt8]) -> [UInt8]? {
    !isSent && challenge.isEmpty ? takeMessage() : nil
  }
}
