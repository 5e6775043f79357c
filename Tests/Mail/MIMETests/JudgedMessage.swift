import MIME
import Octets
import TestSupport
import Testing

/// A message that is written here and read by other programs.
struct JudgedMessage: Sendable, CustomTestStringConvertible {
  struct File: Sendable {
    let name: String
    let octets: [UInt8]
    var type = "application/octet-stream"
  }

  let testDescription: String
  var subject = "a subject"
  var names = ["Bo"]
  var text = "text\n"
  var files: [File] = []

  /// The message, as it lies in a Maildir.
  var octets: [UInt8] {
    let mailboxes = names.enumerated().map { number, name in
      Address.mailbox(
        Mailbox(
          name: Array(name.utf8),
          localPart: Array("a\(number)".utf8),
          domain: [UInt8](ascii: "x.test")
        )
      )
    }
    let fields = [
      OutgoingField([UInt8](ascii: "From"), words: [[UInt8](ascii: "me@x.test")]),
      OutgoingField([UInt8](ascii: "To"), addresses: mailboxes),
      OutgoingField([UInt8](ascii: "Subject"), text: Array(subject.utf8)),
      OutgoingField(
        [UInt8](ascii: "Date"),
        words: [MessageDate(seconds: 1_760_000_000, offset: 60).octets]
      ),
      OutgoingField(
        [UInt8](ascii: "Message-ID"),
        ids: [MessageID([UInt8](ascii: "<judged@x.test>"))].compactMap(\.self)
      ),
    ]
    // What is in memory can be read.
    let parts = files.compactMap { file in
      try? OutgoingPart.file(
        file.octets,
        type: FileType(Array(file.type.utf8)) ?? .unknown,
        name: Array(file.name.utf8)
      )
    }
    let message = OutgoingMessage(fields: fields, parts: [.text(Array(text.utf8))] + parts)
    return (try? message.octets(token: [UInt8](ascii: "judged")).whole()) ?? []
  }

  static let all: [JudgedMessage] = [
    JudgedMessage(testDescription: "plain"),
    JudgedMessage(testDescription: "empty text", text: ""),
    JudgedMessage(
      testDescription: "long lines",
      text: String(repeating: "long ", count: 400) + "\n"
    ),
    JudgedMessage(testDescription: "From lines and dots", text: "From here\n.\n..\n>From\nFrom \n"),
    JudgedMessage(testDescription: "blanks at ends", text: "a  \n\t\n-- \nMe\n"),
    JudgedMessage(testDescription: "Latin", subject: "Grüße aus Köln", text: "Viele Grüße\n"),
    JudgedMessage(
      testDescription: "Greek",
      subject: "Καλημέρα σε όλους, πού θα βρεθούμε αύριο το πρωί;",
      text: "Καλημέρα κόσμε, αυτό είναι ένα αρκετά μεγάλο κείμενο για base64.\n"
    ),
    JudgedMessage(testDescription: "Japanese", subject: "日本語の件名", text: "こんにちは、世界。\n"),
    JudgedMessage(testDescription: "right to left", subject: "שלום עולם", text: "مرحبا بالعالم\n"),
    JudgedMessage(testDescription: "emoji", subject: "😀 party 🎉", text: "👩‍👩‍👧 ok\n"),
    JudgedMessage(
      testDescription: "names in every script",
      names: [
        "Ada Lovelace", "Lovelace, Ada", "J. \"Q\" Public", "Jürgen Müller", "山田 太郎", "Ёлка",
        "محمد", "😀", "a\\b", "x (y)",
      ]
    ),
    JudgedMessage(
      testDescription: "a long subject",
      subject: (1...60).map { "word\($0)" }.joined(separator: " ")
    ),
    JudgedMessage(
      testDescription: "what looks encoded",
      subject: "=?utf-8?q?no?= really",
      text: "=C3=BC =\n"
    ),
    JudgedMessage(
      testDescription: "attachments",
      text: "see attached\n",
      files: [
        File(name: "report.pdf", octets: Array((0...255).map { UInt8($0) })),
        File(name: "empty.bin", octets: []),
        File(name: "Übersicht für März.txt", octets: Array("a\nb\n".utf8), type: "text/plain"),
        File(name: "a \"b\"; c.txt", octets: Array("no line end".utf8), type: "text/plain"),
        File(name: "отчёт за третий квартал 2026 года, окончательный.pdf", octets: [1, 2, 3]),
        File(name: "8-bit.txt", octets: Array("Grüße\r\n".utf8), type: "text/plain"),
        File(name: "lines.diff", octets: Array("From x\n-- \n.\n".utf8), type: "text/x-diff"),
      ]
    ),
    JudgedMessage(
      testDescription: "a message inside",
      text: "",
      files: [
        File(
          name: "inner.eml",
          octets: Array("From: i@x.test\nSubject: inner\n\n--=_magnum_judged\ninner text\n".utf8),
          type: "message/rfc822"
        )
      ]
    ),
  ]
}
