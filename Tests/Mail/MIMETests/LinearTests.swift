import MIME
import Octets
import TestSupport
import Testing

/// Texts made to cost much: a piece that is repeated, between a head and a tail.
struct Hostile: Sendable, CustomTestStringConvertible {
  let head: StaticString
  let piece: StaticString
  let tail: StaticString

  init(_ head: StaticString, _ piece: StaticString, _ tail: StaticString = "") {
    self.head = head
    self.piece = piece
    self.tail = tail
  }

  var testDescription: String { "\(head)…\(piece)…\(tail)" }

  /// About that many octets.
  func octets(_ count: Int) -> [UInt8] {
    var octets = [UInt8](ascii: head)
    while octets.count < count { octets.append(ascii: piece) }
    octets.append(ascii: tail)
    return octets
  }

  static let messages: [Hostile] = [
    Hostile("Subject: ", "=?a?Q?x "), Hostile("Subject: ", "=?"), Hostile("Subject: =?a?B?", "a"),
    Hostile("Subject: ", "=?utf-8?Q?=C3?= "), Hostile("Subject: ", "\n a"),
    Hostile("To: ", "("), Hostile("To: ", "<"), Hostile("To: ", "\""), Hostile("To: ", "a, "),
    Hostile("To: ", "a@"), Hostile("To: ", "[a "), Hostile("To: <@a", ",@a"), Hostile("To: ", "a:"),
    Hostile("References: ", "<"), Hostile("References: ", "<a@b "), Hostile("Date: ", "1 "),
    Hostile("Content-Type: text/plain; ", "a=b "), Hostile("Content-Type: a/b; x*0=", "a (b "),
    Hostile("Content-Type: text/plain; ", "name*1=a;"), Hostile("", "a:\n"), Hostile("", "a\n"),
    Hostile("Content-Type: multipart/mixed; boundary=b\n\n", "--b\n"),
    Hostile("Content-Type: multipart/mixed; boundary=b\n\n", "--b"),
    Hostile("Content-Type: multipart/mixed; boundary=b\n\n", "--\n"),
    Hostile(
      "",
      "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
    ),
    Hostile("", "Content-Type: multipart/mixed\n\n--x\n--b\n\n"),
    Hostile("", "Content-Type: message/rfc822\n\n"),
    Hostile("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n", "Cg==\n"),
    Hostile("Content-Transfer-Encoding: quoted-printable\n\n", "=   "),
    Hostile("Content-Transfer-Encoding: quoted-printable\n\n", "  "),
    Hostile("Content-Transfer-Encoding: base64\n\n", "=A"),
    Hostile("\n", "begin 644 x\n"), Hostile("\nbegin 644 x\n", "#8V%T\n"),
    Hostile("Content-Type: text/plain; format=flowed\n\n", "> a \n"),
    Hostile("From: a\n", "x\nFrom: b\n"), Hostile("From: a\n", "x\nX: a\n", "To: b\n"),
    Hostile("From: a\n", " \n", "To: b\n\n"), Hostile("From: a\n", " \nTo: b\n"),
    Hostile("Content-Type: multipart/mixed; boundary=b\n", "--c\nTo: x\n"),
    Hostile("Content-Type: multipart/mixed\n", "X: boundary=\n", "\n\n--x\n"),
    Hostile("", "Content-Type: multipart/mixed; boundary=b\n\n--c\n"),
    Hostile("\n", "begin 644 x\n#8V%T\nx\n", "end\n"),
    Hostile("\nbegin 644 x\n", "#8V%T\nx\n", "end\n"),
    Hostile("\n", "N\u{8}"), Hostile("\n", "_\u{8}N"),
    Hostile("Content-Type: text/plain; charset=koi8-r\n\n", "\u{E9}"), Hostile("To: ", "\"\\"),
    Hostile("Content-Type: application/octet-stream; name=winmail.dat\n\n", "x"),
  ]

  static let pages: [Hostile] = [
    Hostile("", "<"), Hostile("", "<a "), Hostile("", "<a b=\""), Hostile("", "<a b='c\">"),
    Hostile("", "<!--"), Hostile("", "<!"), Hostile("", "</"), Hostile("", "<title>"),
    Hostile("", "<style>"), Hostile("", "<div hidden>"), Hostile("", "<div hidden></div>"),
    Hostile("", "<blockquote>a"), Hostile("", "<ul><li>a"), Hostile("", "<table><tr><td>a"),
    Hostile("", "<td>"), Hostile("", "&"), Hostile("", "&#1"), Hostile("", "&zwj;"),
    Hostile("", "<a href=http://a/b>"), Hostile("", "<a href=http://a/b>x</a>"),
    Hostile("<a href=http://a/b>", "a<b>", "</a>"),
    Hostile("<pre>", "\n \n"), Hostile("", "<br>"), Hostile("<p ", "a ", ">"),
    Hostile("", "\u{E9}"), Hostile("", "<div style='font-size:0'>a"), Hostile("", "<img alt=a>b"),
    Hostile("", "<td style='font-size:0'>a</div>"), Hostile("", "<i style='font:0 a'>a<p>"),
    Hostile("<style>.a{display:none}</style>", "<p class='b c d e'>"),
    Hostile("", "<style>.a{display:none}</style><p class=a>x"),
    Hostile("<style>", "a{b}", "</style>"),
    Hostile("<style>", "@media{", "</style>"), Hostile("<style>", "/*", "</style>"),
    Hostile("<style>", ".a,", ".b{display:none}</style>"), Hostile("<object>", "a<p>"),
    Hostile("<base href=http://a/b>", "<a href=c><img></a>"), Hostile("", "<head>a"),
    Hostile("<a href=http://a/b>x</a>", "<a href=http://a/b><img></a>"),
    Hostile("<ol start=9>", "<li>a"),
  ]
}

@Test(arguments: Hostile.messages)
func messagesTakeLinearTime(_ hostile: Hostile) {
  expectLinear(hostile) { digest(Message($0)) }
}

@Test(arguments: Hostile.pages)
func pagesTakeLinearTime(_ hostile: Hostile) {
  expectLinear(hostile) { PlainText.render($0).count }
}

/// Twice the size takes less than three times as long; what takes no time at all is not compared.
private func expectLinear(_ hostile: Hostile, _ work: ([UInt8]) -> Int) {
  let size = 30_000
  let (single, double) = (hostile.octets(size), hostile.octets(size * 2))
  for attempt in 1...5 {
    let (short, long) = (time { work(single) }, time { work(double) })
    if long < max(short * 3, .milliseconds(20)) { return }
    #expect(attempt < 5, "\(short) became \(long)")
  }
}

private func time(_ work: () -> Int) -> Duration {
  (1...2).map { _ in
    ProcessorTime.measure { _ = work() }
  }.min() ?? .zero
}
