internal import Configuration
internal import Correspondence
internal import MailModel
internal import MIME
internal import Octets
internal import Platform

/// The HTML of a message in the queue, which was made of its text: it is made anew where that text changes.
struct QueueHTML {
  private let wish: HTMLWish?
  /// Whether a person asks for HTML, also where there was none.
  private let isAsked: Bool
  private let settings: ComposingSettings
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  /// - Parameters:
  ///   - options: what a person asks for.
  ///   - sender: the account; nil where the configuration no longer has it.
  init(_ options: HTMLOptions, _ sender: Sender?) {
    settings = sender?.composing ?? ComposingSettings()
    isAsked = options.wish.map { $0 != .textAlone } ?? false
    wish = options.wish ?? settings.htmlCommand.map { .command($0) }
  }

  /// A message as a person edits it: without HTML that is made of its text, with whether it had some.
  ///
  /// - Throws: that it would have to be made anew, and nothing says how.
  func editable(_ message: [UInt8]) throws(Explanation) -> (octets: [UInt8], hadHTML: Bool) {
    guard let text = try text(of: message), text.hadHTML else { return (message, false) }
    _ = try neededWish()
    let octets = try explaining(.noInput) { () throws(SourceError) in try text.octets().whole() }
    return (octets, true)
  }

  /// A new version of a message, its HTML made of its text.
  ///
  /// - Parameters:
  ///   - message: the new version.
  ///   - hadHTML: whether the former version had HTML that was made of its text.
  /// - Returns: the message; as it is where it has HTML of its own, and where none is wanted.
  /// - Throws: why the HTML cannot be made.
  func remade(
    _ message: any OctetSource,
    hadHTML: Bool
  ) throws(Explanation) -> any OctetSource {
    guard let text = try text(of: message), text.hadHTML || hadHTML || isAsked else {
      return message
    }
    let body = try HTMLMaker(settings).body(try neededWish(), of: text.text, text.pictures)
    return try explaining(.noInput) { () throws(SourceError) in
      guard case .page(let html, _) = body else { return try text.octets() }
      return try text.octets(with: html)
    }
  }

  /// Whether the HTML of a message was made of its text.
  func isMade(_ message: any OctetSource) -> Bool { (try? text(of: message))?.hadHTML ?? false }

  private func text(of message: any OctetSource) throws(Explanation) -> TextMessage? {
    try explaining(.noInput) { () throws(SourceError) in
      try TextMessage(StreamedMessage(reading: message), decoder)
    }
  }

  private func neededWish() throws(Explanation) -> HTMLWish {
    guard let wish else {
      throw Explanation(
        .usage,
        "its HTML was made of its text by a command that the account does not name",
        hint: "give --html-with, --markdown or --no-html"
      )
    }
    return wish
  }
}
