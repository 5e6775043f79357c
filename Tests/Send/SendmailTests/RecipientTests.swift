import SMTP
import Sendmail
import Testing

/// What may be several recipients is refused, since one of them would get nothing.
@Test(arguments: [
  "a@x.test b@y.test", "a@x.test and b@y.test", "a@x.test / b@y.test", "a / b@y.test",
  "a@x.test > b@y.test", "a@x.test (oops, b@y.test", "c@z.test, (a@x.test, b@y.test",
  "\"a@x.test, b@y.test", "<a@x.test", "a@x.test>", "<a@x.test; b@y.test>",
  "<a@x.test><b@y.test>", "<a@x.test> b@y.test", "Ann@home <a@x.test> b@y.test",
  "a@x.test, b@y.test\\, c@z.test", "a@x.test: b@y.test", "<a@x.test>: b@y.test",
  "<a@x.test:b@y.test>", "a@x.test@y.test", "a@x.test root", "a@x.te st", "a@x.test \"bob\"",
  "\"\"\"@x.test", "\"Ann\"b@x.test", "a\"b\"@x.test", "\"a\"\"b\"@x.test", "a@\"x\".test",
  "<\"a\"b@x.test>",
  "a@x.test\"\"", "<a b@x.test>", "<a@x te.st>", "<a@x.te st>", "<a@x.test(ing)s>",
  "Ann <a@x.test b@y.test>",
])
func unclearRecipientsAreRefused(_ value: String) {
  #expect(throws: LetterError.self) { try AddressBook.checkRecipients(in: Array(value.utf8)) }
}

/// Names for people may hold anything, and addresses may be written in old ways.
@Test(arguments: [
  "a@x.test, b@y.test; c@z.test", "\"a@x.test\" <b@y.test>", "a@x.test <a@x.test>",
  "a@x.test <a@x.test> (at home)", "'a@x.test' <a@x.test>", "Ann Doe a@x.test", "<<a@x.test>>",
  "Doe \\(x <a@x.test>", "[list: a@b] <a@x.test>", "Sales / Ops <a@x.test>",
  "Sales / Ops: a@x.test, b@y.test;", "Re: Ann <a@x.test>", "undisclosed-recipients:;",
  "<@r.test,@s.test:a@x.test>", "mailto:a@x.test", "<mailto:a@x.test>", "<a@x.test, b@y.test>",
  "b @ y.test, \"a b\"@y.test, a@[IPv6:::1]", "=?utf-8?q?a@b?= <a@x.test>",
  "\"a\".\"b\"@x.test", "\"Ann\"Doe <a@x.test>", "\"Ann\" <a@x.test>", "\"Ann\"<a@x.test>",
  "<\"a b\"@x.test>",
  "\"a\"@x.test,\"b\"@x.test", "root (admin), \"carol\"", "< a . b @ y.test >",
  "Ann <b @y. test> Doe", "a @ y .test",
])
func clearRecipientsAreTaken(_ value: String) {
  #expect(throws: Never.self) { try AddressBook.checkRecipients(in: Array(value.utf8)) }
}

/// The words of a refusal have an address as it was written.
@Test(arguments: ["\"\"\"@x.test", "\"\"@x.test", "@x.test", "<@x.test>", "\"a\"b@x.test"])
func whatIsNoAddressIsNamedAsItWasWritten(_ text: String) throws {
  #expect(throws: LetterError.badAddress(Array(text.utf8))) {
    try AddressBook([]).recipients(named: [Array(text.utf8)])
  }
}

@Test func recipientsWhomNoFieldNames() throws {
  let letter = try Letter(
    Array("To: Ann <A@x.test>, root\nCc: Doe, Jane <jane@x.test>\n\nTo: text@x.test\n".utf8)
  )
  let recipients = try [
    Recipient(address("a@x.test")), Recipient(address("jane@x.test")),
    Recipient(address("me@x.test"), original: address("root")), Recipient(address("h@x.test")),
    Recipient(address("b@x.test")), Recipient(address("one@x.test"), original: address("crew")),
    Recipient(address("two@x.test"), original: address("crew")), Recipient(address("text@x.test")),
  ]
  let unnamed = letter.unnamed(among: recipients, hidden: Array("H <h@x.test>".utf8))
  #expect(try unnamed == ["b@x.test", "crew", "text@x.test"].map(address))
}

/// What is at the machine itself goes where names without a domain go, in aliases too.
@Test func addressesAtTheMachineAreNames() throws {
  let aliases = Aliases(
    Array("root: admin@localhost\nadmin: a@y.test\nself: self@HOST\nout: o@x.test\n".utf8)
  )
  let hosts = ["localhost", "host", "x.test"].map { Array($0.utf8) }
  let local = LocalNames(nil, mean: Array("me@x.test".utf8), at: hosts)
  let names = ["root@LocalHost", "self", "joe@host", "out", "b@localhost.y.test"]
  let found = try AddressBook([aliases], local).recipients(named: names.map { Array($0.utf8) })
  let expected = ["a@y.test", "me@x.test", "o@x.test", "b@localhost.y.test"]
  #expect(try found.map(\.address) == expected.map(address))
  #expect(try found.first?.original == address("root@LocalHost"))
  let own = AddressBook([aliases], LocalNames([], mean: Array("me@x.test".utf8)))
  let kept = try own.recipients(named: [Array("root@localhost".utf8)])
  #expect(try kept.map(\.address) == [address("root@localhost")])
}

private func address(_ text: String) throws -> EnvelopeAddress {
  try EnvelopeAddress(Array(text.utf8))
}
