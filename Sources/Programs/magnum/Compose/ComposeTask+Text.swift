internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Platform

// The text of a draft.
extension ComposeTask {
  func addText(_ start: inout ComposeStart, _ sender: Sender) throws(Explanation) {
    if let file = options.body { start.draft.text = try read(body: file) }
    if !start.isGiven { start.hasContent = start.hasContent || hasContent(start.draft) }
    guard start.isFresh else { return }
    var text = start.draft.text
    if let last = text.last, last != ASCII.lineFeed { text.append(ASCII.lineFeed) }
    let signature = options.noSignature ? [] : try SignatureText.octets(sender.composing)
    var pieces = [start.above, text, signature, start.below].filter { !$0.isEmpty }
    // An empty line to begin with.
    if start.above.isEmpty, text.isEmpty, !pieces.isEmpty { pieces.insert([], at: 0) }
    start.draft.text = [UInt8](pieces.joined(separator: [ASCII.lineFeed]))
    // A line to type into, below the one that ends the header.
    if start.draft.text.isEmpty { start.draft.text = [ASCII.lineFeed] }
  }

  /// Whether a draft says anything that its writer has put there.
  private func hasContent(_ draft: Draft) -> Bool {
    !draft.attachments.isEmpty || draft.text.contains { $0 > ASCII.space }
  }

  private func read(body file: String) throws(Explanation) -> [UInt8] {
    let octets = file == "-" ? try standardInput() : try read(Path(argument: file))
    guard String(validating: octets, as: UTF8.self) != nil else {
      throw Explanation(.data, place: file, "the text is not UTF-8", hint: "iconv(1) converts it")
    }
    guard !octets.contains(0) else {
      throw Explanation(
        .data,
        place: file,
        "there is a NUL in the text",
        hint: "attach what is no text: --attach"
      )
    }
    return Self.withLineFeeds(octets)
  }

  /// A text with LF for line ends of any kind.
  static func withLineFeeds(_ text: [UInt8]) -> [UInt8] {
    text.replacing([ASCII.carriageReturn, ASCII.lineFeed], with: [ASCII.lineFeed])
      .map { $0 == ASCII.carriageReturn ? ASCII.lineFeed : $0 }
  }

  private static let limit = 1 << 30

  private func read(_ path: Path) throws(Explanation) -> [UInt8] {
    do throws(SystemError) {
      return try FileSystem.readExistingFile(path, limit: Self.limit, .read.orPipe)
    } catch {
      throw Explanation(.noInput, error.description)
    }
  }

  /// All of standard input.
  ///
  /// - Throws: that there is nothing in it.
  func standardInput() throws(Explanation) -> [UInt8] {
    let octets = try CommandContext.standardInput(limit: Self.limit)
    guard !octets.isEmpty else { throw Self.emptyInput }
    return octets
  }

  static let emptyInput = Explanation(.noInput, "standard input is empty")
}
