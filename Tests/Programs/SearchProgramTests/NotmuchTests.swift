import TestSupport
import Testing

/// Programs made for notmuch, over examples/notmuch.
struct NotmuchTests {
  private static let script = """
    (setq notmuch-show-mark-read-tags nil)
    (require 'notmuch)
    (defun magnum-print (title)
      (while (get-buffer-process (current-buffer)) (accept-process-output nil 0.02))
      (princ (concat "\\n== " title "\\n" (buffer-substring-no-properties (point-min) (point-max)))))
    (notmuch-hello) (magnum-print "hello")
    (notmuch-search "topic") (magnum-print "search")
    (goto-char (point-min)) (notmuch-search-show-thread) (magnum-print "show")
    (notmuch-tree "topic") (magnum-print "tree")
    (notmuch-unthreaded "topic") (magnum-print "unthreaded")
    """

  private static let library = Files.names(in: "/usr/share/emacs/site-lisp/elpa-src")
    .map { String(decoding: $0, as: UTF8.self) }.first { $0.hasPrefix("notmuch-") }

  private static let hasNotmuch =
    (try? Command("notmuch", ["--version"]).run().code) == 0

  private static let isInstalled = EmacsTests.isInstalled && library != nil

  private static let mail = """
    From: Alice <a@x.org>
    To: b@x.org
    Subject: topic one
    Message-ID: <m1@x>
    Date: 1 Jul 2026 10:00:00 +0000
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: text/plain; charset=utf-8

    héllo "quoted" back\\slash
    --b
    Content-Type: message/rfc822

    Subject: inner
    From: i@x

    inner text
    --b
    Content-Type: text/x-diff; name=a.diff
    Content-Disposition: attachment

    +line
    --b
    Content-Type: application/octet-stream; name=x.bin
    Content-Transfer-Encoding: base64

    QUJD
    --b--

    """

  private static let answer = """
    From: Bob <b@x.org>
    To: a@x.org
    Subject: Re: topic one
    Message-ID: <m2@x>
    In-Reply-To: <m1@x>
    Date: 2 Jul 2026 10:00:00 +0000
    Content-Type: text/html

    <p>html <b>answer</b></p>

    """

  private func stage() throws -> SearchStage {
    let stage = try SearchStage()
    try stage.search.home.write(Self.mail, to: "mail/INBOX/cur/1:2,S")
    try stage.search.home.write(Self.answer, to: "mail/INBOX/cur/2:2,")
    try stage.makeFolder()
    #expect(try stage.index().code == 0)
    return stage
  }

  private func environment(_ stage: SearchStage) -> [String: String] {
    var environment = stage.search.command([]).environment
    environment["PATH"] = "\(ProgramUnderTest.products):\(environment["PATH"] ?? "")"
    environment["MAGNUM_MAILDIR"] = stage.mail
    return environment
  }

  @Test(.enabled("emacs or notmuch.el is not installed") { isInstalled })
  func notmuchElWorks() throws {
    let stage = try stage()
    let command = "(setq notmuch-command \"\(Fixtures.project("examples/notmuch"))\")"
    let file = try stage.search.home.write(command + "\n" + Self.script, to: "test.el")
    let directory = "/usr/share/emacs/site-lisp/elpa-src/\(Self.library ?? "")"
    let outcome = try Command(
      "emacs",
      ["-Q", "--batch", "-L", directory, "-l", file],
      environment: environment(stage)
    ).run()
    #expect(outcome.code == 0, "\(outcome)")
    let parts = outcome.output.split(separator: "\n== ").map { "\($0)" }
    let expected = [
      "hello": ["You have 2 messages", "2 inbox", "1 unread"],
      "search": ["[2/2]", "Alice, Bob", "topic one", "(attachment inbox unread)"],
      "show": [
        "héllo \"quoted\" back\\slash", "[ message/rfc822 ]", "inner text",
        "[ a.diff: text/x-diff ]",
        "[ x.bin: application/octet-stream ]", "html\n answer",
      ],
      "tree": ["┬►", "╰─►", "topic one", "..."],
      "unthreaded": ["Alice", "Bob"],
    ]
    for (title, words) in expected {
      let part = parts.first {
        $0.contains("\(title)\n") && $0.hasPrefix(title) || $0.hasPrefix("== \(title)")
      }
      for word in words { #expect(part?.contains(word) == true, "\(title): \(word): \(outcome)") }
    }
  }

  private static let changes = """
    (require 'notmuch-draft)
    (require 'notmuch-maildir-fcc)
    (require 'notmuch-address)
    (defun found (title query)
      (princ (concat "\\n== " title "\\n" (notmuch-command-to-string "search" "--output=messages" query))))
    (defun search (query)
      (notmuch-search query)
      (while (get-buffer-process (current-buffer)) (accept-process-output nil 0.02))
      (goto-char (point-min)))
    (princ (format "\\n== who\\n%s|%s|%s" (notmuch-user-name) (notmuch-user-primary-email)
                   (notmuch-user-other-email)))
    (notmuch-show "id:m2@x") (notmuch-show-mark-read) (found "unread" "tag:unread")
    (search "topic") (notmuch-search-tag '("+to-do" "+größe" "+flagged" "-unread"))
    (found "tagged" "tag:to-do and tag:größe and tag:flagged")
    (search "id:m1@x") (notmuch-search-archive-thread) (found "archived" "tag:inbox")
    (found "kept" "folder:Archive")
    (search "id:m1@x") (notmuch-search-archive-thread t) (found "back" "tag:inbox")
    (dolist (all '(nil t))
      (notmuch-mua-reply "id:m1@x" nil all) (magnum-print (if all "all" "author"))
      (set-buffer-modified-p nil))
    (notmuch-mua-mail "z@x.org" "draft subject") (message-goto-body) (insert "draft words\\n")
    (notmuch-draft-save) (set-buffer-modified-p nil)
    (found "draft" "folder:Drafts tag:draft and not tag:unread")
    (notmuch-draft-resume (car (split-string (notmuch-command-to-string
      "search" "--output=messages" "tag:draft"))))
    (magnum-print "resumed") (set-buffer-modified-p nil)
    (with-temp-buffer
      (insert "From: b@x.org\\nTo: z@x.org\\nSubject: kept\\nMessage-ID: <fcc@x>\\n\\ncopy\\n")
      (notmuch-maildir-notmuch-insert-current-buffer "sent" t '("+sent" "-unread" "+copy")))
    (found "fcc" "folder:Sent tag:copy not tag:unread")
    (notmuch-address-harvest nil t)
    (princ (format "\\n== people\\n%s" (notmuch-address-matching "z@")))
    """

  /// Tags, the archive, answers, drafts, copies of sent mail and addresses, by the keys of notmuch.el.
  @Test(.enabled("emacs or notmuch.el is not installed") { isInstalled })
  func notmuchElChangesMail() throws {
    let stage = try stage()
    try stage.configureAccount("addresses = [\"other@x.org\"]\nname = \"Bob\"")
    var environment = environment(stage)
    environment["MAGNUM_MAILDIR"] = nil
    let command = "(setq notmuch-command \"\(Fixtures.project("examples/notmuch"))\")"
    let script = Self.script.split(separator: "(notmuch-hello)")[0]
      .replacing("(setq notmuch-show-mark-read-tags nil)", with: "")
    let file = try stage.search.home.write(
      ";; -*- coding: utf-8 -*-\n\(command)\n\(script)\n\(Self.changes)",
      to: "test.el"
    )
    let directory = "/usr/share/emacs/site-lisp/elpa-src/\(Self.library ?? "")"
    environment["LC_ALL"] = "C.UTF-8"
    let outcome = try Command(
      "emacs",
      ["-Q", "--batch", "-L", directory, "-l", file],
      environment: environment
    ).run()
    #expect(outcome.code == 0, "\(outcome)")
    var parts: [String: String] = [:]
    for part in "\n\(outcome.output)".split(separator: "\n== ") {
      let title = part.prefix { $0 != "\n" }
      parts[String(title)] = String(part.dropFirst(title.count))
    }
    let expected = [
      "who": "Bob|b@x.org|(other@x.org)", "unread": "", "tagged": "id:m2@x\nid:m1@x\n",
      "archived": "", "kept": "id:m2@x\nid:m1@x\n", "back": "id:m2@x\nid:m1@x\n",
      "fcc": "id:fcc@x\n",
      "people": "(z@x.org)",
    ]
    for (title, text) in expected {
      #expect(parts[title]?.drop { $0 == "\n" } == text[...], "\(title): \(outcome)")
    }
    let header =
      "From: Bob <b@x.org>\nTo: Alice <a@x.org>\nSubject: Re: topic one\nIn-Reply-To: <m1@x>"
    let quoted = "Alice <a@x.org> writes:\n\n> héllo \"quoted\" back\\slash"
    for title in ["author", "all"] {
      #expect(parts[title]?.contains(header) == true, "\(title): \(outcome)")
      #expect(parts[title]?.contains(quoted) == true, "\(title): \(outcome)")
    }
    #expect(parts["draft"]?.contains("id:draft-") == true, "\(outcome)")
    #expect(parts["resumed"]?.contains("Subject: draft subject\n") == true, "\(outcome)")
    #expect(parts["resumed"]?.contains("\ndraft words") == true, "\(outcome)")
  }

  private static let answers = """
    (defun holds (text) (string-match-p (regexp-quote text) (buffer-string)))
    (dotimes (number 60)
      (dolist (all '(nil t))
        (condition-case mistake
            (let ((id (format "<k%d@x>" number)))
              (notmuch-show (format "id:k%d@x" number))
              (if all (notmuch-show-reply) (notmuch-show-reply-sender))
              (set-buffer-modified-p nil)
              (unless (and (holds (concat "In-Reply-To: " id)) (holds (format "Subject: Re: topic %d ö" number))
                           (holds (format "> words-%d" number)) (eq (null all) (not (holds "\\nCc: "))))
                (error "%s" (buffer-string))))
          (error (princ (format "%d %s: %S\\n" number all mistake))))))
    (princ "done")
    """

  /// Answers to the author and to all, of mail as many programs write it.
  @Test(
    .enabled("emacs or notmuch.el is not installed") { isInstalled },
    .enabled(if: runsLongTests)
  )
  func notmuchElAnswersAnyMail() throws {
    let stage = try SearchStage()
    let names = [
      "Ann", "\"Bob, B\"", "=?utf-8?Q?M=C3=BCller=2C_J?=", "李明", "\"O'Hara \\\"x\\\"\"", "",
    ]
    let bodies: [(Int) -> String] = [
      { "\nwords-\($0)\n" },
      { "Content-Type: text/html; charset=utf-8\n\n<p>words-\($0) \\ \" ; ( ) <b>ü</b></p>\n" },
      {
        "Content-Type: text/plain; charset=iso-8859-1; format=flowed\n"
          + "Content-Transfer-Encoding: quoted-printable\n\nwords-\($0) caf=E9 \nflowed\n\n-- \nsig\n"
      },
      {
        "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=c\n\n"
          + "--c\n\nwords-\($0)\n--c\nContent-Type: text/html\n\n<p>html\n--c--\n--b\nContent-Type: message/rfc822\n\n"
          + "Subject: inner\n\ninner\n--b\nContent-Type: image/png; name=\"a (1).png\"\n\nx\n--b--\n"
      },
    ]
    for number in 0..<60 {
      let header =
        "From: \(names[number % 6]) <p\(number)@x.org>\nTo: b@x.org, \(names[(number + 1) % 6]) <q@x.org>\n"
        + "Cc: c@x.org\nSubject: topic \(number) ö\nMessage-ID: <k\(number)@x>\n"
        + "Date: \(1 + number % 28) Jul 2026 10:00:00 +0000\nMIME-Version: 1.0\n"
      try stage.search.home.write(
        header + bodies[number % 4](number),
        to: "mail/INBOX/cur/\(number):2,"
      )
    }
    try stage.makeFolder()
    #expect(try stage.index().code == 0)
    try stage.configureAccount()
    var environment = environment(stage)
    environment["MAGNUM_MAILDIR"] = nil
    environment["LC_ALL"] = "C.UTF-8"
    let command = "(setq notmuch-command \"\(Fixtures.project("examples/notmuch"))\")"
    let file = try stage.search.home.write(
      ";; -*- coding: utf-8 -*-\n\(command)\n(require 'notmuch)\n\(Self.answers)",
      to: "test.el"
    )
    let directory = "/usr/share/emacs/site-lisp/elpa-src/\(Self.library ?? "")"
    let outcome = try Command(
      "emacs",
      ["-Q", "--batch", "-L", directory, "-l", file],
      environment: environment
    ).run()
    #expect(outcome.code == 0 && outcome.output == "done", "\(outcome)")
  }

  private static let commands = """
    printf '+a%%20b -unread -- id:m2@x\\n\\n# no line\\n+w -- nothing\\n' | $N tag --batch
    $N search --output=messages 'tag:"a b"'; $N count tag:unread
    printf '+q -- id:m1@x\\nbad\\n' >lines; $N tag --batch --input=lines 2>/dev/null || echo "$?"
    $N count tag:q; $N tag '+50%' +q -- id:m1@x; $N count 'tag:"50%"'
    $N tag +q nothing && echo none; $N dump --output=all; grep -c id: all
    $N dump -- tag:q; $N tag --remove-all +r -- id:m1@x; $N dump --output=some -- tag:r; cat some
    $N restore --accumulate --input=all; $N dump tag:r; $N restore --input=all; $N dump tag:q
    $N restore <some; $N dump -- id:m1@x
    gzip all; $N restore --input=all.gz; $N dump tag:q
    $N address --output=sender --output=recipients id:m1@x
    $N address --output=count --output=sender '*'; $N address --output=address id:m1@x
    $N address --output=count --output=address --output=recipients --deduplicate=address '*'
    $N count tag:none 2>&1; $N config set query.q tag:x 2>/dev/null || echo "refused"
    $N reply --format=json id:m1@x | grep -o '"tags":.*,"duplicate":.'
    $N show --format=mbox id:m2@x | sed -n '1s/ [A-Z].*//; 1,2p'; $N compact; $N reindex; $N count
    $N config list | head -3; $N reply --format=json --reply-to=sender id:m2@x | cut -c-160
    printf 'From: a@x\\n\\nx\\n' | $N insert --folder=none +x 2>/dev/null || echo "$?"
    printf 'From: a@x\\nMessage-ID: <m3$%%24@x>\\n\\nx\\n' | $N insert --folder=new/one --create-folder +x +flagged
    $N search --output=messages path:new/one tag:x tag:flagged tag:unread; $N dump tag:x >x
    $N tag -x tag:x; $N restore --input=x; $N count tag:x

    """

  /// The command line of notmuch, as programs for it have it.
  @Test func theCommandLineOfNotmuch() throws {
    let stage = try stage()
    try stage.configureAccount(#"name = "Bob""#)
    var environment = environment(stage)
    environment["MAGNUM_MAILDIR"] = nil
    let script = "cd; N='\(Fixtures.project("examples/notmuch"))'\n\(Self.commands)"
    let outcome = try Command("/bin/sh", ["-ec", script], environment: environment).run()
    let title = "#notmuch-dump batch-tag:3 tags\n"
    let expected = """
      id:m2@x
      0
      65
      0
      1
      none
      2
      \(title)+50%25 +attachment +inbox +q -- id:m1@x
      \(title)+attachment +inbox +r -- id:m1@x
      \(title)+50%25 +attachment +inbox +q +r -- id:m1@x
      \(title)+50%25 +attachment +inbox +q -- id:m1@x
      \(title)+attachment +inbox +r -- id:m1@x
      \(title)+50%25 +attachment +inbox +q -- id:m1@x
      Alice <a@x.org>
      b@x.org
      1\tBob <b@x.org>
      1\tAlice <a@x.org>
      a@x.org
      1\ta@x.org
      1\tb@x.org
      0
      refused
      "tags":["50%","attachment","inbox","q"],"duplicate":1
      From b@x.org
      Status: RO
      2
      database.path=\(stage.mail)
      database.mail_root=\(stage.mail)
      user.name=Bob
      {"reply-headers":{"Subject":"Re: topic one","From":"Bob <b@x.org>","To":"a@x.org","In-reply-to":"<m2@x>","References":"<m1@x> <m2@x>"},"original":{"id":"m2@x","
      73
      id:m3$%24@x
      1

      """
    #expect(outcome.output == expected, "\(outcome)")
  }

  /// Of a message in several files the one of a number is shown, and answered.
  @Test func eachFileOfAMessageIsToBeHad() throws {
    let stage = try stage()
    let list = Self.answer.replacing("Subject: Re: topic", with: "Subject: Re: [list] topic")
    try stage.search.home.write(list, to: "mail/Lists/cur/2:2,")
    try stage.makeFolder("Lists")
    try stage.configureAccount()
    _ = try stage.index()
    var environment = environment(stage)
    environment["MAGNUM_MAILDIR"] = nil
    let notmuch = Fixtures.project("examples/notmuch")
    func run(_ words: String...) throws -> Outcome {
      try Command(notmuch, words + ["id:m2@x"], environment: environment).run()
    }
    let files = try run("search", "--output=files").output.split(separator: "\n").map { "\($0)" }
    #expect(files.count == 2)
    for (number, file) in files.enumerated() {
      let subject = file.contains("/Lists/") ? "Re: [list] topic one" : "Re: topic one"
      let duplicate = "--duplicate=\(number + 1)"
      let shown = try ParsedJSON(run("show", "--format=json", duplicate).output)
      #expect(shown["duplicate"]?.integer == number + 1)
      #expect(shown["headers"]?["Subject"]?.text == subject)
      let answer = try ParsedJSON(run("reply", "--format=json", duplicate).output)
      #expect(answer["original"]?["headers"]?["Subject"]?.text == subject)
      #expect(answer["original"]?["duplicate"]?.integer == number + 1)
      #expect(answer["original"]?["tags"]?[0]?.text == "inbox")
      #expect(answer["original"]?["filename"]?[number]?.text == file)
    }
    let third = try run("reply", "--duplicate=3")
    #expect(third.code == 1 && third.errors.contains("no file of number 3, but 2"), "\(third)")
  }

  /// What runs lines of a shell beside an account with the mail of a stage, where a message has the tag work.
  private func tagged(_ stage: SearchStage) throws -> (String) throws -> String {
    try stage.configureAccount()
    var environment = environment(stage)
    environment["MAGNUM_MAILDIR"] = nil
    let run = { [environment] (line: String) throws -> String in
      // The stage has the files, which go with it.
      try withExtendedLifetime(stage) {
        let outcome = try Command("/bin/sh", ["-ec", line], environment: environment).run()
        #expect(outcome.code == 0 && outcome.errors == "", "\(line): \(outcome)")
        return outcome.output
      }
    }
    _ = try run("magnum index && \(Self.wrapper) tag +work -unread -- id:m1@x")
    return run
  }

  private static let wrapper = Fixtures.project("examples/notmuch")

  /// What notmuch's command line changes is found here.
  @Test func tagsAreChanged() throws {
    let run = try tagged(try stage())
    let notmuch = Self.wrapper
    #expect(try run("magnum-search --count tag:work and not tag:unread") == "1\n")
    let reply = try run("\(notmuch) reply --reply-to=sender id:m1@x")
    #expect(reply.contains("\nTo: Alice <a@x.org>\n"), "\(reply)")
    _ = try run("\(notmuch) dump >~/dump && \(notmuch) tag -work -- '*'")
    #expect(try run("magnum-search --count tag:work 2>/dev/null") == "0\n")
    _ = try run("\(notmuch) restore <~/dump")
    #expect(try run("magnum-search --count tag:work") == "1\n")
  }

  /// What notmuch's own dump holds is found here, and what is dumped here is found there.
  @Test(.enabled("notmuch is not installed") { hasNotmuch })
  func tagsComeOverAndGoBack() throws {
    let stage = try stage()
    let run = try tagged(stage)
    let settings = "[database]\npath=\(stage.mail)\n[new]\nignore=.magnum;_magnum;.magnum-tags\n"
    try stage.search.home.write(settings, to: ".notmuch-config")
    _ = try run("notmuch new 2>&1 && notmuch tag '+two words' '+größe' +inbox -- id:m1@x")
    _ = try run("notmuch dump | magnum tags restore -q")
    #expect(try run("magnum-search --count 'tag:\"two words\" and tag:größe'") == "1\n")
    // What is no tag is named, and left out.
    _ = try run("notmuch config set --database query.q from:a && notmuch dump >~/with")
    let left = try run("magnum tags restore -q <~/with 2>&1")
    #expect(left.contains("left out: 1 line about properties and settings"), "\(left)")
    // And back: notmuch reads what is dumped here.
    _ = try run("magnum tag -q +over id:m1@x && magnum tags dump | notmuch restore")
    #expect(try run("notmuch count tag:over and tag:work and 'tag:\"two words\"'") == "1\n")
  }

  /// Messages of one Message-ID, which are one to notmuch, keep the tags of each.
  @Test func aDumpHasTheTagsOfEachMessage() throws {
    let stage = try stage()
    try stage.search.configure(
      "[account.work]\naddress = \"b@x.org\"\nmaildir = \"\(stage.mail)\"\n"
    )
    for number in 1...3 {
      let text = "From: a@x.org\nMessage-ID: <same@x>\nSubject: s\(number)\n\ntext \(number)\n"
      try stage.search.home.write(text, to: "mail/INBOX/cur/same\(number):2,S")
    }
    var environment = environment(stage)
    environment["MAGNUM_MAILDIR"] = nil
    func run(_ line: String) throws -> String {
      let outcome = try Command("/bin/sh", ["-ec", line], environment: environment).run()
      #expect(outcome.code == 0 && outcome.errors == "", "\(line): \(outcome)")
      return outcome.output
    }
    _ = try run("magnum index; magnum tag -q +one subject:s1; magnum tag -q +two +all subject:s2")
    _ = try run("magnum tag -q +all subject:s1; magnum tags dump >~/dump")
    let lines = try run("grep same@x ~/dump").split(separator: "\n")
    #expect(lines.count == 4 && lines.dropFirst().allSatisfy { $0.hasPrefix("#magnum ") })
    #expect(lines.first == "+all +inbox +one +two -- id:same@x", "\(lines)")
    _ = try run("magnum tag -q -one -two -all '*'; magnum tag -q +wrong id:same@x")
    _ = try run("magnum tags restore -q --replace <~/dump")
    let tags = "magnum tags dump | grep '^#magnum' | cut -d' ' -f3-"
    let each = try run("\(tags) | sort")
    #expect(
      each == """
        +all +inbox +one -- id:same@x
        +all +inbox +two -- id:same@x
        +inbox -- id:same@x

        """
    )
    // What is added to the line for all, all get.
    _ = try run("sed 's/^+all/+new +all/' ~/dump | magnum tags restore -q")
    #expect(try run("magnum-search --count tag:new") == "3\n")
    #expect(try run("magnum-search --count tag:one") == "1\n")
  }

  private static let revisions = """
    set -- $($N count --lastmod '*'); echo "$1 ${#2}"; revision=$3 uuid=$2
    $N tag +x -- id:m1@x
    $N search --output=messages lastmod:$((revision + 1))..
    set -- $($N count --lastmod lastmod:..$revision); echo "$1 $(($3 > revision))"
    [ "$2" = "$uuid" ] && echo "same index"
    $N count "lastmod:$((revision + 1))..$((revision + 90))"
    $N count "lastmod:$((revision + 90)).."
    $N --uuid=$uuid count '*'
    $N --uuid=x count '*' 2>/dev/null || echo refused

    """

  /// The environment of an account with the mail of a stage, for programs in the place of notmuch.
  private func revisionEnvironment(_ stage: SearchStage) throws -> [String: String] {
    try stage.search.configure(
      "[account.work]\naddress = \"b@x.org\"\nmaildir = \"\(stage.mail)\"\n"
    )
    var environment = environment(stage)
    environment["MAGNUM_MAILDIR"] = nil
    return environment
  }

  /// Asks a program in the place of notmuch what has changed since a revision.
  private func expectRevisions(of program: String, _ environment: [String: String]) throws {
    let script = "N='\(program)'\n\(Self.revisions)"
    let outcome = try Command("/bin/bash", ["-ec", script], environment: environment).run()
    let expected = "2 36\nid:m1@x\n1 1\nsame index\n1\n0\n2\nrefused\n"
    #expect(outcome.output == expected, "\(program): \(outcome)")
  }

  /// The answers that ``changesSinceARevision()`` expects are those of notmuch.
  @Test(.enabled("notmuch is not installed") { hasNotmuch })
  func changesSinceARevisionOfNotmuch() throws {
    let stage = try stage()
    let environment = try revisionEnvironment(stage)
    let settings = "[database]\npath=\(stage.mail)\n[new]\nignore=.magnum;_magnum;.magnum-tags\n"
    try stage.search.home.write(settings, to: ".notmuch-config")
    let made = try Command("notmuch", ["new", "--quiet"], environment: environment).run()
    #expect(made.code == 0, "\(made)")
    try expectRevisions(of: "notmuch", environment)
  }

  /// What has changed since a revision is asked for as in notmuch, with the same answers.
  @Test func changesSinceARevision() throws {
    let stage = try stage()
    try expectRevisions(of: Self.wrapper, try revisionEnvironment(stage))
    let json = try stage.search(["--count", "--lastmod", "--json", "lastmod:2.."]).output
    let count = try ParsedJSON(json)
    #expect(count["count"]?.integer == 1 && count["lastmod"]?.integer == 2, "\(json)")
    #expect(count["uuid"]?.text?.utf8.count == 36, "\(json)")
    #expect(try stage.search(["--lastmod"]).code == 64)
    let two = try stage.search(["--maildir", stage.search.home["."], "--count", "--lastmod"])
    #expect(two.code == 64 && two.errors.contains("several Maildirs"), "\(two)")
  }

  /// The numbers and nesting of parts are notmuch's, and each can be had by its number.
  @Test func partsAreNestedAsInNotmuch() throws {
    let stage = try stage()
    let json = try stage.magnum.run("show", "--json", "--maildir", stage.mail, "id:m1@x").output
    let message = try ParsedJSON(json)[0]?[0]?[0]
    #expect(message?["excluded"] == .boolean(false) && message?["duplicate"]?.integer == 1)
    let root = message?["body"]?[0]
    #expect(root?["id"]?.integer == 1 && root?["content-type"]?.text == "multipart/mixed")
    let parts = root?["content"]
    #expect(parts?[0]?["id"]?.integer == 2 && parts?[0]?["section"]?.text == "1")
    #expect(parts?[0]?["content"]?.text == "héllo \"quoted\" back\\slash")
    let inside = parts?[1]?["content"]?[0]
    #expect(
      inside?["headers"]?["Subject"]?.text == "inner" && inside?["headers"]?["Date"]?.text == ""
    )
    #expect(inside?["body"]?[0]?["id"]?.integer == 4)
    #expect(inside?["body"]?[0]?["content"]?.text == "inner text")
    #expect(parts?[2]?["content-disposition"]?.text == "attachment")
    #expect(parts?[3]?["content-transfer-encoding"]?.text == "base64")
    #expect(parts?[3]?["content"] == nil)
    let arguments = ["show", "--maildir", stage.mail, "--format", "raw", "id:m1@x", "--nth-part"]
    for (number, text) in ["4": "inner text", "6": "ABC", "0": Self.mail] {
      #expect(try stage.magnum.command(arguments + [number]).run().output == text)
    }
    let html = ["show", "--json", "--maildir", stage.mail, "id:m2@x", "--entire-thread", "false"]
    let answer = try ParsedJSON(stage.magnum.command(html + ["--include-html"]).run().output)
    #expect(answer[0]?[0]?[0] == .null)
    let part = answer[0]?[0]?[1]?[0]?[0]?["body"]?[0]
    #expect(
      part?["content"]?.text?.hasPrefix("<p>html") == true && part?["text"]?.text == "html answer"
    )
  }

  /// The S-expression of a message is that of its JSON.
  @Test func expressionsForEmacs() throws {
    let stage = try stage()
    let arguments = ["show", "--maildir", stage.mail, "--format=sexp", "--body=false", "id:m2@x"]
    let shown = try stage.magnum.command(arguments + ["--entire-thread=false"]).run().output
    #expect(
      shown.hasPrefix("(((nil (((:id \"m2@x\" :match t :excluded nil :filename (\""),
      "\(shown)"
    )
    #expect(shown.hasSuffix(" :version 3) ())))))\n"), "\(shown)")
    let found = try stage.search(["--format=sexp", "--output=messages", "*"]).output
    #expect(found == "(\"m2@x\" \"m1@x\")\n" || found == "(\"m2@x\" \n\"m1@x\")\n", "\(found)")
    #expect(try stage.search(["--format=sexp", "nothing"]).output == "()\n")
    let new = ["--format=sexp", "--format-version=5", "--exclude=false", "--limit=1", "*"]
    #expect(try stage.search(new).output.hasPrefix("((:thread \""))
    #expect(try stage.magnum.run("show", "--format-version=9", "x").code == 64)
  }
}
