package import Configuration
internal import Glibc
package import MIME
package import MailModel
internal import Octets
package import Platform

/// Has a program make HTML of the text of a message.
///
/// The text may hold what a stranger wrote. So the program is confined as the filters of attachments are, and its HTML is checked.
package struct HTMLMaker {
  private let isConfined: Bool
  private let interruption: Interruption
  private let seconds: Double

  /// - Parameters:
  ///   - settings: those of the account that sends the message.
  ///   - interruption: ends the program.
  ///   - seconds: how long the program may take.
  package init(
    _ settings: ComposingSettings,
    _ interruption: Interruption = .shared,
    seconds: Double = 20
  ) {
    isConfined = !settings.runsHTMLUnconfined
    self.interruption = interruption
    self.seconds = seconds
  }

  /// The programs for Markdown, the first that is there.
  private static let markdown = [
    ["cmark"], ["pandoc", "-f", "markdown", "-t", "html"], ["markdown"],
  ]

  /// The body of a message with the HTML that is wished for.
  ///
  /// - Parameters:
  ///   - wish: what makes it.
  ///   - text: the text of the message.
  ///   - pictures: what it may show.
  /// - Returns: the body.
  /// - Throws: why there is none: nothing may be sent then.
  package func body(
    _ wish: HTMLWish,
    of text: [UInt8],
    _ pictures: [OutgoingHTML.Picture]
  ) throws(Explanation) -> MessageBody {
    switch wish {
    case .textAlone: return .text
    case .ready(let html): return .page(try checked(html, pictures), .given)
    case .command(let command):
      let name = command.name
      let made = try output(of: command.words, name, on: text)
      guard let html = made else { throw Self.missing(name) }
      return .page(try checked(html, pictures), .madeOfText)
    case .markdown:
      for words in Self.markdown {
        guard let html = try output(of: words, words[0], on: text) else { continue }
        return .page(try checked(html, pictures), .madeOfText)
      }
      throw Explanation(
        .unavailable,
        "there is no program for Markdown",
        hint: "install one of: cmark, pandoc, markdown"
      )
    }
  }

  /// What a program makes of a text; nil where there is no such program.
  private func output(
    of words: [String],
    _ name: String,
    on text: [UInt8]
  ) throws(Explanation) -> [UInt8]? {
    var limits = LimitedProcess.Limits()
    limits.output = HTMLWish.limit
    limits.seconds = seconds
    let process = LimitedProcess(words, isConfined: isConfined, limits: limits)
    let (end, output): (LimitedProcess.End, [UInt8])
    do throws(LimitedProcess.Failure) {
      (end, output) = try process.run(on: text, interruption: interruption)
    } catch {
      switch error {
      case .notStarted(let cause):
        if cause.code == ENOENT { return nil }
        throw Self.failed(name, "cannot be started: \(cause.description)", .unavailable)
      case .refused(let cause): throw Self.refused(cause)
      }
    }
    if let problem = Self.problem(end, name) { throw problem }
    guard output.contains(where: { $0 > ASCII.space }) else {
      throw Self.failed(name, "printed nothing")
    }
    guard String(validating: output, as: UTF8.self) != nil, !output.contains(0) else {
      throw Self.failed(name, "printed what is not UTF-8")
    }
    return output
  }

  private func checked(
    _ html: [UInt8],
    _ pictures: [OutgoingHTML.Picture]
  ) throws(Explanation) -> OutgoingHTML {
    do throws(OutgoingHTML.Problem) {
      return try OutgoingHTML(html, pictures)
    } catch {
      throw error.explanation
    }
  }

  private static func problem(_ end: LimitedProcess.End, _ name: String) -> Explanation? {
    let limit = HTMLWish.limit >> 20
    return switch end {
    case .exited(0): nil
    // What a shell says of a command that it does not find.
    case .exited(127): missing(name)
    case .exited(let status): failed(name, "ended with status \(status)")
    case .signalled(let number): failed(name, "was ended by signal \(number)")
    case .outputTooLong: failed(name, "printed more than \(limit) MiB")
    case .tooManyProcesses: failed(name, "started too many processes")
    case .tooMuchMemory: failed(name, "used too much memory")
    case .timedOut: failed(name, "did not end in time", .tryAgain)
    case .interrupted: Explanation(.partial, "interrupted before the HTML was made")
    }
  }

  private static func failed(
    _ name: String,
    _ what: String,
    _ status: ExitStatus = .data
  ) -> Explanation {
    Explanation(
      status,
      "no HTML was made: \(Printable.text(name.utf8, limit: 80)) \(what)",
      hint: "--no-html sends the text alone"
    )
  }

  private static func missing(_ name: String) -> Explanation {
    Explanation(
      .unavailable,
      "no HTML was made: there is no program \(Printable.text(name.utf8, limit: 80))",
      hint: "install it below /usr or /opt: a confined command sees no home directory"
    )
  }

  private static func refused(_ cause: SystemError) -> Explanation {
    Explanation(
      .unavailable,
      "no HTML was made, since this system refuses to confine the command: \(cause.description)",
      hint: "allow user namespaces, or set html-unconfined = true where you trust the command with "
        + "whatever strangers send"
    )
  }
}

extension ChildProcess.Command {
  /// What people call it: the program, or the line for a shell.
  fileprivate var name: String {
    if case .shell(let line) = self { line } else { program }
  }
}

extension OutgoingHTML.Problem: Explainable {
  /// What is printed.
  package var explanation: Explanation {
    let what =
      switch self {
      case .element(let name): "an element \(Printable.text(name, limit: 40))"
      case .attribute(let name): "an attribute \(Printable.text(name, limit: 40))"
      case .script(let link): "a script as a link: \(Printable.text(link, limit: 80))"
      case .file(let name): "a file of this machine: \(Printable.text(name, limit: 80))"
      }
    var hint = "--no-html sends the text alone"
    if case .file = self {
      hint = "--inline FILE shows a file that the HTML names by its base name"
    }
    return Explanation(.data, "the HTML has \(what)", hint: hint)
  }
}
