internal import CommandLine
internal import Correspondence

/// What the options of `magnum compose`, `reply`, `reply-all`, `forward` and `resume` ask for.
struct ComposeOptions {
  /// What becomes of the draft.
  enum End: String {
    case editor, send, draft, hold, print, template
  }

  /// How a template of an answer is printed.
  enum Format: String, CaseIterable {
    case text, json, sexp
  }

  var to: [String] = []
  var cc: [String] = []
  var bcc: [String] = []
  var subject: String?
  var body: String?
  var files: [String] = []
  /// Files that the HTML shows.
  var inline: [String] = []
  var headers: [String] = []
  /// The template that it begins with.
  var template: String?
  var from: String?
  var at: String?
  var remind: String?
  var ends: [End] = []
  var noQuote = false
  var noSignature = false
  /// Whether it is signed; nil for as the account has it.
  var signs: Bool?
  /// Whether it is encrypted; nil for as the account has it.
  var encrypts: Bool?
  var attachesKey = false
  /// What makes the HTML.
  var html = HTMLOptions()
  /// Two options that exclude each other; nil where there are none.
  private var contradiction: String?
  /// Whether what was decrypted may be quoted for any recipient.
  var quotesAll = false
  var all = false
  var list = false
  var asAttachment = false
  var format: Format?
  /// Which of the files of the message is answered, from 1; nil for any.
  var duplicate: Int?

  /// Whether the draft is for more than to be printed.
  var changes: Bool { !ends.contains { $0 == .print || $0 == .template } }

  /// Whether something is put into a draft that goes on.
  var addsToDraft: Bool {
    let lists = [to, cc, bcc, files, inline, headers]
    return lists.contains { !$0.isEmpty } || subject != nil || body != nil || from != nil
      || attachesKey
  }

  /// What is written.
  static var common: [CommandOption<ComposeOptions>] {
    [
      .texts("-t", "--to", value: "address", addsTo: \.to, help: "Send it to this address."),
      .texts("-c", "--cc", value: "address", addsTo: \.cc, help: "Send a copy to this address."),
      .texts(
        "-b",
        "--bcc",
        value: "address",
        addsTo: \.bcc,
        help: "Send a copy to this address, which others do not see."
      ),
      .text("-s", "--subject", value: "text", sets: \.subject, help: "The subject."),
      .text(
        "--body",
        value: "file",
        completion: .files,
        sets: \.body,
        help: "Take the text from this file; - is standard input."
      ),
      .texts(
        "--attach",
        value: "file",
        completion: .files,
        addsTo: \.files,
        help: "Attach this file; may be given several times."
      ),
      .texts(
        "--inline",
        value: "file",
        completion: .files,
        addsTo: \.inline,
        help: "Attach this picture, which the HTML names; may be given several times."
      ),
      .text(
        "--use-template",
        value: "name",
        completion: .names(.templates),
        sets: \.template,
        help: "Begin with this template, a file in templates beside the configuration."
      ),
      .texts(
        "--header",
        value: "name: value",
        addsTo: \.headers,
        help: "Add this field to the header."
      ),
      .text("--from", value: "address", sets: \.from, help: "Send it from this address."),
      .text(
        "--at",
        value: "time",
        sets: \.at,
        help: "Send no earlier than this time, such as 18:30 or +5m."
      ),
      .text(
        "--remind",
        value: "time",
        sets: \.remind,
        help: "Remind of it if no answer has come in this time, such as 3d."
      ),
      .flag("--no-signature", sets: \.noSignature, help: "Add no signature."),
    ] + HTMLOptions.all { \ComposeOptions.html } + protecting + ends
  }

  private static var protecting: [CommandOption<ComposeOptions>] {
    [
      .flag("--sign", help: "Sign it with OpenPGP or S/MIME.") { $0.set(\.signs, true) },
      .flag("--no-sign", help: "Do not sign it, even if the account signs.") {
        $0.set(\.signs, false)
      },
      .flag("--encrypt", help: "Encrypt it, or send nothing.") { $0.set(\.encrypts, true) },
      .flag("--no-encrypt", help: "Do not encrypt it, even if it answers an encrypted message.") {
        $0.set(\.encrypts, false)
      },
      quote,
      .flag("--attach-key", sets: \.attachesKey, help: "Attach your own public key."),
    ]
  }

  /// Notes what an option asks for; the opposite of what another one asks for is a mistake.
  private mutating func set(_ wish: WritableKeyPath<ComposeOptions, Bool?>, _ value: Bool) {
    if let other = self[keyPath: wish], other != value {
      let name = wish == \.signs ? "sign" : "encrypt"
      contradiction = "--\(name) and --no-\(name)"
    }
    self[keyPath: wish] = value
  }

  private static var ends: [CommandOption<ComposeOptions>] {
    [
      .flag("--editor", help: "Edit it; the default at a terminal.") { $0.ends.append(.editor) },
      .flag("--send", help: "Send it at once.") { $0.ends.append(.send) },
      .flag("--draft", help: "Put it into the folder for drafts.") { $0.ends.append(.draft) },
      .flag("--hold", help: "Put it into the queue, held until it is released.") {
        $0.ends.append(.hold)
      },
      .flag("--print", help: "Print the message.") { $0.ends.append(.print) },
      .flag("--template", help: "Print the draft as an editor shows it.") {
        $0.ends.append(.template)
      },
    ]
  }

  /// That the text of an encrypted message may go to any recipient.
  private static var quote: CommandOption<ComposeOptions> {
    .flag(
      "--quote",
      sets: \.quotesAll,
      help: "Let the text of an encrypted message go without being asked."
    )
  }

  /// What is done with the message that is answered.
  static var answering: [CommandOption<ComposeOptions>] {
    [
      .flag("--all", sets: \.all, help: "Reply to all recipients."),
      .flag("--list", sets: \.list, help: "Reply to the mailing list."),
      .flag("--no-quote", sets: \.noQuote, help: "Do not quote the message."),
      .choice(
        "--format",
        value: "format",
        sets: \.format,
        help: "Print the header of the answer and the message, as notmuch reply does."
      ),
      .number(
        "--duplicate",
        sets: \.duplicate,
        help: "Reply to this numbered file of the message."
      ),
    ]
  }

  func check(_ line: ParsedLine) throws(UsageMistake) {
    if ends.count > 1 {
      throw UsageMistake(
        "\(ends.map { "--\($0.rawValue)" }.joined(separator: " and ")) exclude each other"
      )
    }
    try html.check()
    if let template, !ComposeTask.isTemplateName(template) {
      throw UsageMistake("the name of a template has letters, digits, - and _ alone")
    }
    if let wish = html.wish, wish != .textAlone,
      let end = ends.first(where: { $0 == .draft || $0 == .template })
    {
      throw UsageMistake("HTML is made when a message is sent, not with --\(end.rawValue)")
    }
    if let contradiction { throw UsageMistake("\(contradiction) exclude each other") }
    if let duplicate, duplicate < 1 { throw UsageMistake("--duplicate counts from 1") }
    if quotesAll, noQuote { throw UsageMistake("--quote and --no-quote exclude each other") }
    if all, list { throw UsageMistake("--all and --list exclude each other") }
    if line.globals.accounts.count > 1 { throw UsageMistake("--account may be given once") }
    if body == "-", line.operands == ["-"] {
      throw UsageMistake("standard input is either the text or the draft")
    }
  }
}
