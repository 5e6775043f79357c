import TestSupport
import Testing

/// Indexing where the disk is full, where nothing may be written, and while everybody asks.
struct HardshipTests {
  /// Whether a process may mount a file system of its own.
  static let canMount =
    (try? Command("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).run().code) == 0

  /// A real file system without room: the old index answers, the reason is told, and with room again all is taken in.
  @Test(.enabled(if: canMount)) func aFullFileSystem() throws {
    let stage = try SearchStage()
    for number in 1...30 { try stage.deliver(number) }
    let script = """
      mail=$1 magnum=$2 search=$3 seed=$mail.seed
      mv "$mail" "$seed" && mkdir "$mail"
      mount -t tmpfs -o size=3m tmpfs "$mail"
      mkdir "$mail/later" && cp -a "$seed/." "$mail" && mv "$mail"/INBOX/cur/1* "$mail/later"
      "$magnum" index --quiet "$mail"
      count() { "$search" --maildir "$mail" --count '*'; }
      count
      head -c 9000000 /dev/zero >"$mail/fill" 2>/dev/null || true
      mv "$mail"/later/* "$mail/INBOX/cur"
      status=0; "$magnum" index --quiet "$mail" || status=$?
      echo "full: $status"; count
      status=0; "$magnum" index --quiet --rebuild "$mail" || status=$?
      echo "anew: $status"; count
      rm "$mail/fill"
      "$magnum" index --quiet "$mail"; count
      "$magnum" index --quiet --check "$mail"
      """
    let outcome = try Command(
      "unshare",
      ["-rm", "sh", "-euc", script, "sh", stage.mail, stage.magnum.path, stage.search.path]
    ).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output == "19\nfull: 1\n19\nanew: 1\n19\n30\n")
    #expect(outcome.errors.contains("No space left on device"))
  }

  /// A first index that does not fit leaves nothing that takes room.
  @Test(.enabled(if: canMount)) func aFirstIndexWithoutRoom() throws {
    let stage = try SearchStage()
    for number in 1...30 { try stage.deliver(number) }
    let script = """
      mail=$1 magnum=$2 seed=$mail.seed
      mv "$mail" "$seed" && mkdir "$mail"
      mount -t tmpfs -o size=1m tmpfs "$mail"
      cp -a "$seed/." "$mail"
      head -c 9000000 /dev/zero >"$mail/fill" 2>/dev/null || true
      truncate -s -40960 "$mail/fill"
      status=0; "$magnum" index --quiet "$mail" || status=$?
      echo "$status"; ls "$mail/.magnum/index"
      """
    let arguments = ["-rm", "sh", "-euc", script, "sh", stage.mail, stage.magnum.path]
    let outcome = try Command("unshare", arguments).run()
    #expect(outcome.output == "1\nlock\n", "\(outcome)")
    #expect(outcome.errors.contains("make room"))
  }

  /// An index of which files are missing is damaged: it is there, and `magnum index` alone does not mend it.
  @Test(arguments: ["gen-1/iamglass", "gen-1/postlist.glass", "gen-1"])
  func anIndexThatIsNotWhole(_ missing: String) throws {
    let stage = try SearchStage()
    try stage.deliver(1)
    #expect(try stage.index().code == 0)
    try Command.shell("rm -r \"$1\"", ["\(stage.mail)/.magnum/index/\(missing)"])
    for outcome in [try stage.search(["*"]), try stage.index()] {
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("the index is damaged"), "\(outcome)")
      #expect(outcome.errors.contains("hint: run: magnum index --rebuild"), "\(outcome)")
    }
    #expect(try stage.index(["--rebuild", "--quiet"]).code == 0)
    #expect(try stage.lines(["--count", "*"]) == ["1"])
  }

  /// Directories that cannot be read are told, and all else is indexed; what was known of mail in them stays.
  @Test func directoriesThatCannotBeRead() throws {
    let stage = try SearchStage()
    for number in 1...4 {
      try stage.deliver(number, folder: ["INBOX", "Closed", "Above/Below", "Cur"][number - 1])
    }
    let script = """
      mail=$1 home=$2
      cp "$3" "$home/magnum" && cp "$4" "$home/magnum-search"
      chmod 777 "$mail"; chmod 755 "$home" "$home"/magnum*; mkdir -m 777 "$home/cache"
      find "$mail" -exec chmod a+rX {} +
      as=
      [ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
      run() { $as env HOME=/nonexistent XDG_CACHE_HOME="$home/cache" "$@"; }
      index() { run "$home/magnum" index --quiet "$mail" 2>"$home/errors" && echo fine || echo "status $?"; }
      count() { run "$home/magnum-search" --maildir "$mail" --count '*'; }
      mkdir -m 000 "$mail/lost+found"
      index; count
      chmod 000 "$mail/Closed" "$mail/Above" "$mail/Cur/cur"
      echo 'Message-ID: <new@x>' >"$mail/INBOX/cur/new:2,"; chmod a+r "$mail/INBOX/cur/new:2,"
      index; count; grep -c 'Permission denied' "$home/errors"
      rm -rf "$mail/.magnum" "$home/cache"; mkdir -m 777 "$home/cache"
      index; count
      chmod 755 "$mail/Closed" "$mail/Above" "$mail/Cur/cur"
      index; count
      """
    let outcome = try Command(
      "sh",
      [
        "-euc", script, "sh", stage.mail, stage.search.home.path, stage.magnum.path,
        stage.search.path,
      ]
    ).run()
    #expect(outcome.output == "fine\n4\nstatus 1\n5\n3\nstatus 1\n2\nfine\n5\n", "\(outcome)")
  }

  /// Memory grows with what is held at a time, not with the mail: in a first index, and where mail is added to one.
  @Test func longMailTakesLittleMemory() throws {
    let stage = try SearchStage()
    try stage.deliver(1)
    func add(_ numbers: Range<Int>) throws {
      for number in numbers {
        let words = (0..<9000).map { String($0 * 7919 + number * 104_729, radix: 36) }
        let text = "Message-ID: <long\(number)@x>\n\n\(words.joined(separator: " "))\n"
        try stage.search.home.write(text, to: "mail/INBOX/cur/long\(number):2,")
      }
    }
    try add(0..<40)
    let first = try stage.index()
    #expect(first.code == 0 && first.peakMemory < 110_000, "\(first.peakMemory)")
    try add(40..<70)
    let later = try stage.index()
    #expect(later.code == 0 && later.peakMemory < 90_000, "\(later.peakMemory)")
    #expect(try stage.lines(["--count", "*"]) == ["71"])
    #expect(try stage.index(["--check"]).code == 0)
  }

  /// Where there is no mail, nothing is made.
  @Test func noMaildirNoIndex() throws {
    let stage = try SearchStage()
    try Files.makeDirectories("\(stage.mail)/nothing")
    let outcome = try stage.index()
    #expect(outcome.code == 1 && outcome.errors.contains("there is no Maildir in"), "\(outcome)")
    #expect(Files.names(in: stage.mail) == [Array("nothing".utf8)])
  }

  /// Mail that other programs keep otherwise is counted, and what is none is not.
  @Test(arguments: [true, false])
  func otherMailIsNamed(_ hasMaildir: Bool) throws {
    let stage = try SearchStage()
    let mail = "Subject: a\nFrom: b@x\n\ntext\n"
    for name in ["inbox.mbox", "old/sent"] {
      try stage.search.home.write(
        "From b@x Thu Jan  1 00:00:00 2026\n\(mail)\n",
        to: "mail/\(name)"
      )
    }
    for name in ["mh/1", "mh/2", "mh/15", "cyrus/1.", "cyrus/2.", "saved/a.EML"] {
      try stage.search.home.write(mail, to: "mail/\(name)")
    }
    for (name, text) in [
      ("mh/.mh_sequences", "unseen: 1\n"), ("cyrus/cyrus.header", "\u{3}\n"),
      ("notes", "Dear you: x\n"),
      ("apple/9.emlx", "26\n\(mail)<plist/>"), ("apple/x.emlx", "no number\n"),
      ("mh/16", "no field\n"), ("saved/b.eml", ""), (".magnum-x/1", "no\n"),
    ] {
      try stage.search.home.write(text, to: "mail/\(name)")
    }
    if hasMaildir { try stage.deliver(1) }
    let outcome = try stage.index()
    #expect(outcome.code == (hasMaildir ? 0 : 1), "\(outcome)")
    let words = "9 files of mail (2 mbox, 3 MH, 1 .eml, 2 Cyrus, 1 .emlx)"
    #expect(outcome.errors.contains(words), "\(outcome)")
    let json = try stage.index(["--json"])
    #expect(json.output.contains("\"not-maildir\":9"), "\(json)")
  }

  /// The same with a limit on the size of files, which everybody can have.
  @Test func filesMayNotGrow() throws {
    let stage = try SearchStage()
    for number in 1...3 { try stage.deliver(number) }
    _ = try stage.index()
    for number in 4...60 { try stage.deliver(number) }
    let limited = "trap '' XFSZ; ulimit -f 32; exec \"$0\" index --quiet \"$1\""
    let outcome = try Command("sh", ["-c", limited, stage.magnum.path, stage.mail]).run()
    #expect(outcome.code == 1 && outcome.errors.contains("File too large"), "\(outcome)")
    #expect(try stage.lines(["--count", "*"]) == ["3"])
    #expect(try stage.index().code == 0)
    #expect(try stage.lines(["--count", "*"]) == ["60"])
    #expect(try stage.index(["--check"]).code == 0)
  }

  /// A Maildir of somebody else: its index is made in one's own cache, and nothing is touched.
  @Test func aMaildirThatMayNotBeWrittenTo() throws {
    let stage = try SearchStage()
    for number in 1...4 { try stage.deliver(number) }
    let script = """
      mail=$1 home=$2
      cp "$3" "$home/magnum" && cp "$4" "$home/magnum-search"
      chmod -R a-w,a+rX "$mail"; mkdir -m 777 "$home/cache"; chmod 755 "$home" "$home"/magnum*
      as=
      [ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
      run() { $as env HOME=/nonexistent XDG_CACHE_HOME="$home/cache" "$@"; }
      find "$mail" | sort >"$home/before"
      run "$home/magnum" index --quiet "$mail"
      run "$home/magnum-search" --maildir "$mail" --count '*'
      chmod u+w "$mail/INBOX/cur"; rm "$mail/INBOX/cur/2:2,"; chmod u-w "$mail/INBOX/cur"
      run "$home/magnum" index --quiet "$mail"
      run "$home/magnum-search" --maildir "$mail" --output files '*' | wc -l
      find "$mail" | sort | diff "$home/before" - | grep -c '^[<>]'
      ls "$home/cache/magnum/index" | wc -l
      chmod -R u+w "$mail"
      """
    let outcome = try Command(
      "sh",
      [
        "-euc", script, "sh", stage.mail, stage.search.home.path, stage.magnum.path,
        stage.search.path,
      ]
    ).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output == "4\n3\n1\n1\n")
  }

  /// Anyone who asks while an index is made gets the answer of before, or that of after, and never waits.
  @Test func fiveHundredSearchesDuringABuild() throws {
    let stage = try SearchStage()
    for number in 1...1200 { try stage.deliver(number, folder: number > 500 ? "Later" : "INBOX") }
    let script = """
      mail=$1 magnum=$2 search=$3
      mkdir "$mail.later"; mv "$mail/Later" "$mail.later"
      ask() {
        number=0
        while [ $number -lt 250 ]; do
          "$search" --maildir "$mail" --count '*' 2>>"$mail.errors" || echo "status $?"
          number=$((number + 1))
        done | sort | uniq -c | sed 's/^ *[0-9]* //'
      }
      "$magnum" index --quiet "$mail" & ask; wait $!
      mv "$mail.later/Later" "$mail"
      "$magnum" index --quiet "$mail" & ask; wait $!
      "$search" --maildir "$mail" --count '*'
      sort -u "$mail.errors"
      """
    var command = Command(
      "sh",
      ["-euc", script, "sh", stage.mail, stage.magnum.path, stage.search.path]
    )
    command.timeLimit = 240
    let outcome = try command.run()
    let lines = outcome.output.split(separator: "\n").map { "\($0)" }
    let answers = lines.filter { Int($0) != nil || $0.hasPrefix("status") }
    #expect(outcome.code == 0, "\(outcome)")
    #expect(Set(answers).isSubset(of: ["status 1", "500", "1200"]), "\(answers)")
    #expect(answers.first == "500" || answers.first == "status 1")
    #expect(answers.last == "1200")
    let words = lines.filter { !answers.contains($0) }
    #expect(words.allSatisfy { $0.contains("no index") || $0.contains("hint:") }, "\(words)")
  }
}
