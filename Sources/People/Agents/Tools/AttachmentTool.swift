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

  /// Octets of a message at most whose attachments are read.
  private static let sizeLimit = 32 << 20
  /// Seconds of a filter, so that the call ends in its time.
  private static let filterSeconds = 8.0

  init(_ mail: AgentMail, _ call: ToolCall, isReadOnly: Bool) {
    (self.mail, self.call, self.isReadOnly) = (mail, call, isReadOnly)
  }

  /// The page, and the id of the message.
  func answer() throws(ToolFailure) -> (value: JSONValue, ids: [[UInt8]]) {
    let found = try mail.messages(call.text("id") ?? "", limit: 2)
    guard let message = found.first, found.count == 1 else { throw .ambiguous }
    let part = try part(of: message)
    var clean = CleanText()
    let pages = TextPages(clean.text(try text(of: part)))
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
    if pages.left > 0 { members.append(("text-left", ToolAnswer.number(pages.left))) }
    return (.object(members + [("mail", inner.value)]), [message.id])
  }

  /// The part with all its octets.
  ///
  /// - Throws: `not-found` where there is none, or it is only on the server; `refused` of encrypted mail.
  private func part(of found: FoundMessage) throws(ToolFailure) -> Part {
    let content = try ShowTool.read(try mail.files(of: found), mail.profile)
    guard !found.isTagged("encrypted"), !MessageEnvelope.mayBeEncrypted(content.message) else {
      throw .refused
    }
    guard let section = Section([UInt8]((call.text("part") ?? "").utf8)),
      let seen = content.message.part(section), seen.kind == .leaf, seen.external == nil
    else { throw .notFound }
    guard content.whole.count <= Self.sizeLimit else { throw .refused }
    do throws(SourceError) {
      // What was left out of it in memory is read only now.
      guard let whole = Message(try content.whole.whole()).part(section) else {
        throw SourceError(.changed, path: nil)
      }
      return whole
    } catch {
      throw .again
    }
  }

  private func text(of part: Part) throws(ToolFailure) -> [UInt8] {
    if let text = part.plainText(decoder, links: .omitted, hiding: .always) { return text }
    if let text = part.sourceText(decoder) { return text }
    let filter = AttachmentText(
      mail.profile.configuration.indexFilters.filters,
      isKept: !isReadOnly
    )
    let type = part.heldType(decoder)
    switch filter.make(of: part.decoded, type, seconds: Self.filterSeconds) {
    case .text(let text): return text
    case .failed(.tooSlow): throw .again
    case .failed, nil: throw .refused
    }
  }
}
