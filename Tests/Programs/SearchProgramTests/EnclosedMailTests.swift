import TestSupport
import Testing

/// What is inside of files of Outlook and of messages inside is shown, listed, saved and found.
struct EnclosedMailTests {
  /// Outlook's file with a text, a file and a message.
  private static var outlook: [UInt8] {
    var file = TNEFWriter()
    file.add(0x9007, [0xE4, 0x04, 0, 0, 0, 0, 0, 0])
    file.add(0x9003, TNEFWriter.properties([.unicode(0x1000, "quarterly Größe")]))
    file.beginAttachment()
    file.add(0x800F, Array("report body".utf8), level: 2)
    file.add(
      0x9005,
      TNEFWriter.properties([
        .unicode(0x3707, "Büro plan.txt"), .octets(0x370E, Array("text/plain\0".utf8), type: 0x1E),
      ]),
      level: 2
    )
    let header = """
      From: a@x.org
      Subject: outlook
      Message-ID: <outlook@x>
      MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary=q

      --q
      Content-Type: text/plain


      --q
      Content-Type: application/ms-tnef; name="winmail.dat"
      Content-Disposition: attachment; filename="winmail.dat"
      Content-Transfer-Encoding: binary


      """
    return Array(header.utf8) + file.octets + Array("\n--q--\n".utf8)
  }

  /// Certified mail of Italy: the certificate's text and data, and the message itself as a file.
  private static let certified = """
    From: "Per conto di: mario@pec.example" <posta-certificata@pec.example>
    Subject: POSTA CERTIFICATA: contratto
    Message-ID: <opec@x>
    MIME-Version: 1.0
    Content-Type: multipart/signed; protocol="application/x-pkcs7-signature"; micalg=sha256; boundary=s

    --s
    Content-Type: multipart/mixed; boundary=m

    --m
    Content-Type: multipart/alternative; boundary=a

    --a
    Content-Type: text/plain; charset=iso-8859-1
    Content-Transfer-Encoding: quoted-printable

    Messaggio di posta certificata, perch=E9 s=EC
    --a--
    --m
    Content-Type: message/rfc822; name="postacert.eml"
    Content-Disposition: inline; filename="postacert.eml"

    From: mario@pec.example
    To: luisa@pec.example
    Subject: contratto firmato
    Message-ID: <inner@x>
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary=i

    --i
    Content-Type: text/plain; charset=utf-8

    in allegato il contratto
    --i
    Content-Type: application/pdf; name="contratto.pdf"
    Content-Disposition: attachment; filename="contratto.pdf"
    Content-Transfer-Encoding: base64

    JVBERg==
    --i--
    --m
    Content-Type: application/xml; name="daticert.xml"
    Content-Disposition: inline; filename="daticert.xml"
    Content-Transfer-Encoding: base64

    PHBvc3RhY2VydC8+
    --m--
    --s
    Content-Type: application/x-pkcs7-signature; name="smime.p7s"
    Content-Disposition: attachment; filename="smime.p7s"
    Content-Transfer-Encoding: base64

    MAA=
    --s--

    """

  /// A message, and what is seen of it: words on the screen, attachments, files that are saved, queries that find it.
  struct Example: CustomTestStringConvertible {
    let testDescription: String
    let mail: [UInt8]
    let shown: [String]
    let listed: [String]
    let saved: [String: String]
    let queries: [String]
  }

  static let examples = [
    Example(
      testDescription: "winmail.dat",
      mail: outlook,
      shown: ["quarterly Größe", "Büro plan.txt"],
      listed: ["Büro plan.txt"],
      saved: ["Büro plan.txt": "report body"],
      queries: ["quarterly", "größe", "attachment:plan", "has:attachment"]
    ),
    Example(
      testDescription: "postacert.eml",
      mail: Array(certified.utf8),
      shown: [
        "Messaggio di posta certificata, perché sì", "Subject: contratto firmato",
        "in allegato il contratto", "contratto.pdf",
      ],
      listed: ["postacert.eml", "contratto.pdf", "daticert.xml"],
      saved: ["contratto.pdf": "%PDF"],
      queries: [
        "\"posta certificata\"", "allegato", "\"contratto firmato\"", "attachment:contratto",
        "attachment:postacert", "mimetype:application/pdf", "is:signed", "has:attachment",
      ]
    ),
  ]

  @Test(arguments: examples) func isShownListedSavedAndFound(_ example: Example) throws {
    let stage = try SearchStage()
    let file = "\(stage.mail)/INBOX/cur/1:2,S"
    try stage.makeFolder()
    try Files.write(example.mail, to: file)
    _ = try stage.index()
    let shown = try stage.magnum.run("show", file)
    for words in example.shown { #expect(shown.output.contains(words), "\(words): \(shown)") }
    #expect(!shown.output.contains("winmail"), "\(shown)")
    let list = try stage.magnum.run("attachments", "list", file).output
    for name in example.listed {
      #expect(
        list.split(separator: "\n").count { $0.contains("  \(name)") } == 1,
        "\(name): \(list)"
      )
    }
    #expect(!list.contains("winmail"), "\(list)")
    for (name, content) in example.saved {
      let saved = try stage.magnum.run(
        "attachments",
        "save",
        "--name",
        name,
        "--to",
        stage.search.home["."],
        file
      )
      #expect(saved.code == 0, "\(saved)")
      #expect(Files.text(stage.search.home[name]) == content)
    }
    for query in example.queries {
      #expect(try stage.search(["--count", query]).output == "1\n", "\(query)")
    }
  }
}
