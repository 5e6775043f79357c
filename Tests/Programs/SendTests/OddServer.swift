import TestSupport

/// A server that does what it is told at some commands, and what is usual at all others.
enum OddServer {
  /// Starts one that offers these lines in its reply to EHLO.
  ///
  /// `answer` says what it does at a command, `.` for the end of a message, on the connection of a
  /// number from 1; nil for what is usual.
  static func start(
    offering extensions: [String] = ["PIPELINING"],
    _ answer: @escaping @Sendable (String, Int) -> [ScriptedServer.Action]?
  ) throws -> ScriptedServer {
    try ScriptedServer(greeting: [.lines("220 odd")]) { request in
      let command = request.tag.isEmpty ? request.text : "\(request.tag) \(request.text)"
      return answer(command, request.connection) ?? usual(command, extensions)
    }
  }

  /// Lines of messages are told from commands by their words alone.
  private static func usual(_ command: String, _ extensions: [String]) -> [ScriptedServer.Action] {
    switch command.prefix(while: { $0 != " " }) {
    case "EHLO":
      let lines = ["odd"] + extensions
      let reply = lines.enumerated().map { index, line in
        "250\(index == lines.count - 1 ? " " : "-")\(line)\r\n"
      }
      return [.send(reply.joined())]
    case "AUTH": return [.lines("235 2.7.0 ok")]
    case "MAIL", "RCPT", "RSET", ".": return [.lines("250 2.0.0 ok")]
    case "DATA": return [.lines("354 go on")]
    case "QUIT": return [.lines("221 2.0.0 bye"), .close]
    default: return []
    }
  }
}
