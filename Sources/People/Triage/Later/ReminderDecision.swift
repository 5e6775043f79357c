/// A message of the thread of one to which an answer is waited for.
struct ThreadReply: Hashable, Sendable {
  /// When it was written, in seconds since 1970; nil where it does not tell.
  var date: Int64?
  /// Whether its author is the person whose mail it is.
  var isOwn = false
  /// Whether a program wrote it: an answer while people are away, a report.
  var isAutomatic = false
  /// Whether it names the other one as that which it answers.
  var isReference = false
}

/// Whether a person is reminded of a sent message, by the thread that it is of.
enum ReminderDecision: Hashable, Sendable {
  /// Another person wrote in the thread since.
  case answered
  /// Nothing came but what programs wrote.
  case unanswered

  /// - Parameters:
  ///   - sent: when the message was written, in seconds since 1970; nil where it does not tell.
  ///   - replies: the other messages of its thread.
  init(sent: Int64?, _ replies: [ThreadReply]) {
    let isAnswered = replies.contains { reply in
      guard !reply.isOwn, !reply.isAutomatic else { return false }
      // Clocks differ, and what names it came later.
      guard !reply.isReference, let sent, let date = reply.date else { return true }
      return date > sent
    }
    self = isAnswered ? .answered : .unanswered
  }
}
