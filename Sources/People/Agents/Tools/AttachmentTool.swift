internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import JSON
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import SearchIndex

/// The tool `attachment`: a page of the text of an attachment, never its octets.
struct AttachmentTool {
  private let mail: AgentMail
  private let call: ToolCall
  private let isReadOnly: Bool
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  /// Octets of a part, as it is written, that are read as text: far more than all pages have.
  private static let textLimit = 4 << 20
  /// Octets of a part at most that a filter reads.
  private static let filteredLimit = 32 << 20
  /// Seconds of a filter, so that the call ends in its time.
  private static let filterSeconds = 8.0

  init(_ mail: AgentMail, _ call: ToolCall, isReadOnly: Bool) {
    (self.mail, self.call, self.isReadOnly) = (mail, call, isReadOnly)
  }

  /// The page, and the id of the message.
  func answer() throws(ToolFailure) -> (value: JSONValue, ids: [[UInt8]]) {
    let (message, opened) = try mail.openClear(call.text("id") ?? "")
    let part = try part(of: opened.content)
    var clean = CleanText()
    let (text, unread) = try text(of: part, opened.content)
    let pages = TextPages(clean.text(text))
    let number = call.number("page") ?? 1
    guard let page = pages.page(number) else { throw .notFound }
    var inner = MailMembers()
    if let name = part.fileName(decoder) { inner.add("name", name, limit: 100) }
    inner.add("type", part.contentType.octets, limit: 100)
    inner.add("text", clean: page)
    var members = [
      ToolAnswer.version, ("page", ToolAnswer.number(number)),
      ("pages", ToolAnswer.number(pages.count)), ("removed", ToolAnswer.number(clean.removed)),
    ]
    let left = pages.left + unread
    if left > 0 { members.append(("text-left", ToolAnswer.number(left))) }
    return (.object(members + [("mail", inner.value)]), [message.id])
  }

  /// The part that is asked for, which may have only some of its octets.
  ///
  /// - Throws: `not-found` where there is none, or it is only on the server.
  private func part(of content: StreamedMessage) throws(ToolFailure) -> Part {
    guard let section = Section([UInt8]((call.text("part") ?? "").utf8)),
      let part = content.message.part(section), part.kind == .leaf, part.external == nil
    else { throw .notFound }
    return part
  }

  /// The text of a part, and how many octets of the part were not read for it.
  private func text(
    of part: Part,
    _ content: StreamedMessage
  ) throws(ToolFailure) -> (text: [UInt8], unread: Int) {
    let size = content.octets(of: part.body).count
    let start = try filled(part, content, limit: Self.textLimit)
    let text =
      start.plainText(decoder, links: .omitted, hiding: .always, limit: Self.textLimit)
      ?? start.sourceText(decoder, limit: Self.textLimit)
    if let text { return (text, max(0, size - Self.textLimit)) }
    guard size <= Self.filteredLimit else { throw .refused }
    return (try filteredText(of: try filled(part, content)), 0)
  }

  private func filled(
    _ part: Part,
    _ content: StreamedMessage,
    limit: Int = .max
  ) throws(ToolFailure) -> Part {
    do throws(SourceError) { return try content.filled(part, limit: limit) } catch { throw .again }
  }

  private func filteredText(of part: Part) throws(ToolFailure) -> [UInt8] {
    let filter = AttachmentText(
      mail.profile.configuration.indexFilters.filters,
      isKept: !isReadOnly
    )
    switch filter.make(of: part.decoded, part.heldType(decoder), seconds: Self.filterSeconds) {
    case .text(let text): return text
    case .failed(.tooSlow): throw .again
    case .failed, nil: throw .refused
    }
  }
}
