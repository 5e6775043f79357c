internal import AgentPlan
internal import Configuration
internal import JSON
internal import MailModel

// The calls that change something: decided, begun, counted, recorded, done, in this order. What is not begun is left alone where it
// takes too long, as calls that change nothing are.
extension AgentService {
  func draft(
    _ mail: AgentMail,
    _ call: ToolCall,
    _ entry: CallRecord,
    _ running: RunningCall
  ) throws(ToolFailure) -> JSONValue? {
    let tool = DraftTool(mail, call, record, now: entry.time)
    let decision = try tool.decide()
    guard running.begin() else { return nil }
    let sample = tool.result(of: decision, handle: "0123456789abcdef", isFound: true)
    let octets = sample.text.count
    let amounts: [AgentSettings.Limit: Int] = [
      .drafts: decision.isDiscarding ? 0 : 1, .bytes: octets,
    ]
    try record.charge(amounts, of: mail.profile.settings, at: entry.time)
    var begun = entry.begun(answering: octets)
    return try tool.carryOut(decision, record) { (handle) throws(ToolFailure) in
      begun.draft = handle
      try add(begun)
    }
  }

  func send(
    _ mail: AgentMail,
    _ call: ToolCall,
    _ entry: CallRecord,
    _ running: RunningCall
  ) throws(ToolFailure) -> JSONValue? {
    let tool = try SendTool(mail, call, record)
    let decision = try tool.decide()
    guard running.begin() else { return nil }
    let octets = tool.result(of: decision).text.count
    try record.charge([.sends: 1, .bytes: octets], of: mail.profile.settings, at: entry.time)
    var begun = entry.begun(answering: octets)
    (begun.draft, begun.entry) = (call.text("draft"), decision.entry)
    return try tool.carryOut(decision) { () throws(ToolFailure) in try add(begun) }
  }

  func act(
    _ mail: AgentMail,
    _ call: ToolCall,
    _ entry: inout CallRecord,
    _ running: RunningCall
  ) throws(ToolFailure) -> JSONValue? {
    let tool = ActTool(mail, call, now: entry.time)
    let decision = try tool.decide()
    entry.ids = decision.ids
    guard running.begin() else { return nil }
    let begun = try charge(decision.ids.count, mail, entry)
    return try tool.carryOut(decision) { (number) throws(ToolFailure) in
      try begin(number, begun)
    }
  }

  func undo(
    _ mail: AgentMail,
    _ call: ToolCall,
    _ entry: CallRecord,
    _ running: RunningCall
  ) throws(ToolFailure) -> JSONValue? {
    let tool = UndoTool(mail, call, now: entry.time)
    let decision = try tool.decide()
    guard running.begin() else { return nil }
    let begun = try charge(1, mail, entry)
    return try tool.carryOut(decision) { (number) throws(ToolFailure) in
      try begin(number, begun)
    }
  }

  /// Counts changes of messages; gives the record of a call that is about to make them.
  private func charge(
    _ acts: Int,
    _ mail: AgentMail,
    _ entry: CallRecord
  ) throws(ToolFailure) -> CallRecord {
    let octets = ActTool.result(act: 1_000_000, done: 50, left: 50).text.count
    try record.charge([.acts: acts, .bytes: octets], of: mail.profile.settings, at: entry.time)
    return entry.begun(answering: octets)
  }

  /// Records a call whose act is about to be done.
  private func begin(_ number: Int?, _ entry: CallRecord) throws(ToolFailure) {
    var begun = entry
    begun.act = number
    try add(begun)
  }
}
