import TestSupport
import Testing

private let digest = """
  Subject: digest
  Message-ID: <digest@h>
  From: a@b
  Content-Type: multipart/digest; boundary=q

  --q

  Subject: first digest mail
  Content-Type: multipart/mixed; boundary=r

  --r

  digest body one
  --r
  Content-Type: application/pdf; name=plan.pdf

  %PDF
  --r--
  --q
  Content-Transfer-Encoding: base64

  U3ViamVjdDogc2Vjb25kCgppbiBiYXNlNjQK
  --q--

  """

@Test func mailInsideMailIsShown() throws {
  let stage = try SearchStage()
  let file = try stage.search.home.write(digest, to: "digest.eml")
  let expected = """
    From: a@b
    Subject: digest
    Parts:
      1  first digest mail  (message/rfc822, 152 B)
      2  second  (message/rfc822, 27 B)

    -- message 1 ---

    Subject: first digest mail
    Parts:
      1.2  plan.pdf  (application/pdf, 4 B)

    digest body one

    -- message 2 ---

    Subject: second

    in base64

    """
  let shown = try stage.magnum.run("show", file)
  #expect(shown.code == 0 && shown.output == expected, "\(shown)")
  #expect(
    try stage.magnum.run("show", "--part", "2", file).output == "Subject: second\n\nin base64\n"
  )
  #expect(try stage.magnum.run("show", "--part", "1.2", file).output == "%PDF")
}

/// Standard input, a pipe, a name behind `--`, several files: each is a message, none a query.
@Test func messagesAreReadFromWhereverTheyCome() throws {
  let stage = try SearchStage()
  let file = try stage.search.home.write(digest, to: "digest.eml")
  let text = try stage.magnum.run("show", file).output
  for operand in ["-", "/dev/stdin"] {
    var command = stage.magnum.command(["show", operand])
    command.input = Array(digest.utf8)
    let shown = try command.run()
    #expect(shown.code == 0 && shown.output == text, "\(operand): \(shown)")
  }
  #expect(try stage.magnum.run("show", "--", file).output == text)
  let both = try stage.magnum.run("show", file, file).output
  #expect(both.hasPrefix(text + "\n---\n") && both.hasSuffix(text))
  let script = "exec \"$0\" show <(cat \"$1\")"
  let piped = try Command("bash", ["-c", script, stage.magnum.path, file]).run()
  #expect(piped.output == text, "\(piped)")
}

/// A line of characters that are not shown took minutes, 30 MB of empty lines 2 GB.
@Test(arguments: ["\0", "\u{200B}", "\n", "\r", "\t"])
func hostileTextIsShownInTimeAndMemoryOfItsSize(_ piece: String) throws {
  let stage = try SearchStage()
  let text = "From: a@b\n\n" + String(repeating: piece, count: 1_000_000)
  let file = try stage.search.home.write(text, to: "hostile.eml")
  var command = stage.magnum.command(["show", file])
  command.timeLimit = 30
  let shown = try command.run()
  #expect(shown.code == 0, "\(shown.end)")
  #expect(shown.peakMemory < 120_000, "\(shown.peakMemory)")
}

/// Nor does breaking a line of a megabyte take longer, however it is quoted.
@Test(arguments: ["> ", "a ", " ", ">", "\u{300}"])
func hostileLinesAreBrokenInTime(_ piece: String) throws {
  let stage = try SearchStage()
  let text = "From: a@b\n\n" + String(repeating: piece, count: 500_000) + "end\n"
  let file = try stage.search.home.write(text, to: "hostile.eml")
  var command = stage.magnum.command(["show", "--no-pager", file], ["TERM": "xterm"])
  command.isOnTerminal = true
  command.timeLimit = 30
  let shown = try command.run()
  #expect(shown.code == 0 && shown.output.contains("end"), "\(shown.end)")
}

/// On a terminal no octet of the mail steers it, however it is asked for.
@Test func rawPartsDoNotSteerATerminal() throws {
  let stage = try SearchStage()
  let file = try stage.search.home.write("Subject: x\u{1B}c\n\na\u{1B}[31mb\u{9B}\n", to: "e.eml")
  for options in [["--raw"], ["--part", "1"]] {
    var command = stage.magnum.command(["show"] + options + [file], ["TERM": "xterm"])
    command.isOnTerminal = true
    let shown = try command.run().output
    #expect(shown.contains("a\\x1B[31mb\\u{9B}") && !shown.contains("\u{1B}"), "\(shown)")
  }
}

/// File names are octets, not text.
@Test func namesThatAreNotTextAreFound() throws {
  let stage = try SearchStage()
  try Files.makeDirectories(stage.mail)
  let script = #"""
    set -eu
    cd "$2"
    dir=$'dir\xff'
    mkdir -p "$dir"/{cur,new,tmp}
    printf 'Subject: odd\nMessage-ID: <odd@x>\n\nodd text\n' > "$dir/cur/x"$'\xff:2,S'
    "$0" show "$dir/cur/x"$'\xff:2,S'
    "$0" index --quiet "$dir"
    "$1" --maildir="$dir" --count odd
    "$1" --maildir "$dir" --output files odd | od -An -tx1 | tr -d ' \n'
    "$0" show --json --maildir "$dir" odd
    """#
  let arguments = ["-c", script, stage.magnum.path, stage.search.path, stage.mail]
  let outcome = try Command("bash", arguments).run()
  #expect(outcome.code == 0, "\(outcome)")
  #expect(outcome.output.hasPrefix("Subject: odd\n\nodd text\n1\n"), "\(outcome)")
  #expect(outcome.output.contains("646972ff2f6375722f78ff3a322c53"), "\(outcome)")
  #expect(outcome.output.contains("\"filename-octets\":[\""), "\(outcome)")
}

/// Message-IDs, tags and names of files are as little obeyed by a terminal as text is; a pipe gets all octets.
@Test func resultsDoNotSteerATerminal() throws {
  let stage = try SearchStage()
  let id = "a\u{9B}31m\u{202E}b@h"
  try stage.search.home.write("Message-ID: <\(id)>\n\nx\n", to: "mail/INBOX/cur/e\u{1B}[1m:2,")
  try stage.makeFolder()
  _ = try stage.index()
  #expect(try stage.search(["--output", "tree"]).output.contains("a\\u{9B}31m\\u{202E}b@h"))
  for output in ["messages", "files", "tree", "summary"] {
    var command = stage.search.command(
      ["--maildir", stage.mail, "--output", output],
      ["TERM": "xterm"]
    )
    command.isOnTerminal = true
    let shown = try command.run().output
    let isClean = !shown.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) }
    #expect(isClean && !shown.isEmpty, "\(output): \(shown)")
  }
  let octets = try stage.search(["--output", "files"]).outputOctets
  #expect(String(decoding: octets, as: UTF8.self).contains("e\u{1B}[1m"))
}

/// On a terminal lines fit it, and fields and quotes have colours; a pipe gets neither, unless it asks for colours.
@Test func linesFitTheTerminal() throws {
  let stage = try SearchStage()
  let words = String(repeating: "word ", count: 30) + "end"
  let file = try stage.search.home.write(
    "From: a@b\nSubject: \(words)\n\n\(words)\n> \(words)\n> > twice\n",
    to: "long.eml"
  )
  func show(_ options: [String], onTerminal: Bool, _ variables: [String: String] = [:]) throws
    -> String
  {
    var command = stage.magnum.command(
      ["show", "--no-pager"] + options + [file],
      ["TERM": "xterm"].merging(variables) { $1 }
    )
    command.isOnTerminal = onTerminal
    return try command.run().output.replacing("\r\n", with: "\n")
  }
  let piped = try show([], onTerminal: false)
  #expect(piped.contains("\n\(words)\n> \(words)\n> > twice\n") && !piped.contains("\u{1B}"))
  let plain = try show(["--color", "never"], onTerminal: true)
  let line = String(repeating: "word ", count: 20).dropLast()
  let quoted = "> " + String(repeating: "word ", count: 19).dropLast()
  #expect(plain.contains("\n\(line)\nword "), "\(plain)")
  #expect(plain.contains("\n\(quoted)\n> word "), "\(plain)")
  #expect(plain.contains("\n    word "), "\(plain)")
  #expect(plain.split(separator: "\n").allSatisfy { $0.count <= 100 } && !plain.contains("\u{1B}"))
  #expect(try show([], onTerminal: true, ["NO_COLOR": "1"]) == plain)
  let coloured = try show([], onTerminal: true)
  for part in [
    "\u{1B}[1mFrom:\u{1B}[0m a@b\n", "\u{1B}[32m\(quoted)\u{1B}[0m\n", "\u{1B}[35m> > twice",
  ] {
    #expect(coloured.contains(part), "\(coloured)")
  }
  let asked = try show(["--color", "always"], onTerminal: false, ["NO_COLOR": "1"])
  #expect(asked.contains("\u{1B}[32m> \(words)\u{1B}[0m\n") && asked.contains("\n\(words)\n"))
  #expect(try show(["--color", "blue"], onTerminal: false) == "")
  let name = String(repeating: "x ", count: 100)
  try stage.search.home.write("From: a@b\n\(name): odd\n\ntext\n", to: "long.eml")
  #expect(try show(["--headers"], onTerminal: true).contains("text\n"))
}

/// A mistake in a query is explained as magnum-search explains it.
@Test func mistakesInQueriesAreShown() throws {
  let stage = try SearchStage()
  try stage.deliver(1)
  _ = try stage.index()
  let shown = try stage.magnum.run("show", "--maildir", stage.mail, "(budget or")
  #expect(shown.code == 65, "\(shown)")
  let searched = try stage.search(["(budget or"])
  #expect(searched.code == 65)
  #expect(
    shown.errorLines.map { $0.drop { $0 != ":" } }
      == searched.errorLines.map { $0.drop { $0 != ":" } }
  )
  #expect(shown.errors.contains("\n  (budget or\n  ") && shown.errors.contains("^"), "\(shown)")
}

/// Lines are drawn only where they are shown, and no pager is started where nothing can be drawn.
@Test(arguments: [
  ("xterm", "C.UTF-8", true, true), ("xterm", "C", false, true), ("dumb", "C.UTF-8", false, false),
])
func aTerminalGetsWhatItShows(_ term: String, _ locale: String, _ hasLines: Bool, _ pages: Bool)
  throws
{
  let stage = try SearchStage()
  let file = try stage.search.home.write(digest, to: "digest.eml")
  let pager = try stage.search.home.write("#!/bin/sh\necho PAGED\ncat\n", to: "pager", mode: 0o755)
  let variables = ["TERM": term, "LC_ALL": locale, "PAGER": pager]
  let command = stage.magnum.command(["show", file, file], variables)
  let shown = try PrivateInternet.typing(command, []).run()
  #expect(shown.output.contains("─") == hasLines, "\(shown)")
  #expect(shown.output.contains("-- message 1 ---") != hasLines, "\(shown)")
  #expect(shown.output.contains("PAGED") == pages, "\(shown)")
  // A pager that is asked for is started in any case.
  let wanted = stage.magnum.command(
    ["show", file],
    variables.merging(["MAGNUM_PAGER": pager]) { $1 }
  )
  #expect(try PrivateInternet.typing(wanted, []).run().output.contains("PAGED"))
}

@Test func coloursAreChosen() throws {
  let stage = try SearchStage()
  let file = try stage.search.home.write("From: a@b\n\n> one\n> > two\n", to: "quoted.eml")
  let colours = ["MAGNUM_COLORS": "field=1;34:quote=:quote2=31:rule=x:odd"]
  let shown = try stage.magnum.command(["show", "--color=always", file], colours).run()
  for line in ["\u{1B}[1;34mFrom:\u{1B}[0m a@b\n", "\n> one\n", "\u{1B}[31m> > two\u{1B}[0m\n"] {
    #expect(shown.output.contains(line), "\(shown)")
  }
}

/// A list is cut at the width of the terminal, and whole elsewhere.
@Test func linesOfAListFitTheTerminal() throws {
  let stage = try SearchStage()
  let subject = String(repeating: "long words ", count: 30)
  try stage.search.home.write(
    "Message-ID: <m@x>\nSubject: \(subject)\n\nx\n",
    to: "mail/INBOX/cur/1:2,"
  )
  try stage.makeFolder()
  try #require(stage.index().code == 0)
  let arguments = ["--maildir", stage.mail, "*"]
  let whole = try stage.search.command(arguments).run()
  #expect(whole.output.count > 300)
  let cut = try PrivateInternet.typing(stage.search.command(arguments, ["TERM": "xterm"]), []).run()
  let line = cut.output.split(whereSeparator: \.isNewline).first ?? ""
  #expect(line.count == 80 && line.hasSuffix("…"), "\(cut)")
}

/// All recipients are shown, and no name can be taken for an address.
@Test func recipientsOfAllFieldsAreShown() throws {
  let stage = try SearchStage()
  let mail = """
    From: =?utf-8?B?U3VwcG9ydCA8YUBiYW5rLmV4YW1wbGU+?= <b@evil.example>
    To: a@x.example
    To: "Doe, J." <j@x.example>
    Cc: c@x.example
    Cc: undisclosed:;

    text
    """
  let file = try stage.search.home.write(mail, to: "m.eml")
  let shown = try stage.magnum.run("show", file).lines
  #expect(
    shown.prefix(3) == [
      #"From: "Support <a@bank.example>" <b@evil.example>"#,
      #"To: a@x.example, "Doe, J." <j@x.example>"#, "Cc: c@x.example, undisclosed: ;",
    ],
    "\(shown)"
  )
  let json = try stage.magnum.run("show", "--json", file).output
  for part in [
    #""From":"\"Support <a@bank.example>\" <b@evil.example>""#,
    #""To":"a@x.example, \"Doe, J.\" <j@x.example>""#,
  ] {
    #expect(json.contains(part), "\(json)")
  }
}

/// The content is base64 of what RFC 8551 calls signed-data and enveloped-data, as far as its kind is told.
@Test(arguments: [
  ("smime-type=signed-data", "MIIB", "signed"),
  ("name=smime.p7m", "MIAGCSqGSIb3DQEHAqCA", "signed"),
  ("smime-type=signed-data", "MIAGCSqGSIb3DQEHA6CA", "encrypted"),
  ("smime-type=enveloped-data", "", "encrypted"),
])
func messagesOfSMIMEAreNamed(_ parameter: String, _ content: String, _ kind: String) throws {
  let stage = try SearchStage()
  let mail =
    "Subject: x\nMessage-ID: <x@y>\nContent-Type: application/pkcs7-mime; \(parameter)\n"
    + "Content-Transfer-Encoding: base64\n\n\(content)\n"
  let file = try stage.search.home.write(mail, to: "mail/INBOX/cur/1:2,")
  try stage.makeFolder()
  let shown = try stage.magnum.run("show", file).output
  #expect(shown.contains("): a message \(kind) with S/MIME, not opened\n"), "\(shown)")
  _ = try stage.index()
  #expect(try stage.search(["--count", "is:\(kind)"]).output == "1\n")
  #expect(try stage.search(["--count", "has:attachment"]).output == "0\n")
}

@Test func piecesOfMessagesAreCounted() throws {
  let stage = try SearchStage()
  let mail = "Subject: x\nContent-Type: message/partial; id=a; number=2; total=3\n\nmiddle words\n"
  let file = try stage.search.home.write(mail, to: "p.eml")
  let shown = try stage.magnum.run("show", file).output
  #expect(shown.contains("\n\n-- piece 2 of 3 of a message ---\n"), "\(shown)")
  #expect(shown.hasSuffix("\n\nmiddle words\n"), "\(shown)")
}

/// What does not decode is saved as far as it does, and said.
@Test func lossesAreSaid() throws {
  let stage = try SearchStage()
  let mail = """
    Subject: x
    Content-Type: a/b; name=a.bin
    Content-Disposition: attachment
    Content-Transfer-Encoding: x-uuencode

    begin 644 a.bin
    #8V%T
    #8v%T
    #8V%T
    end

    """
  let file = try stage.search.home.write(mail, to: "u.eml")
  let out = stage.search.home["out"]
  try Files.makeDirectories(out)
  let saved = try stage.magnum.run("attachments", "save", "--to", out, file)
  #expect(saved.code == 1 && saved.errors.contains("a.bin: 1 line is damaged"), "\(saved)")
  #expect(Files.read("\(out)/a.bin")?.count == 9)
  let listed = try stage.magnum.run("attachments", "list", file)
  #expect(listed.output == "1  a/b  9 B  a.bin  (1 line is damaged)\n", "\(listed)")
}
