import Octets
import SMTP
import TestSupport
import Testing

@Test func addresses() throws {
  for line in try Fixtures.block("addresses", of: "Fixtures/addresses.txt").lines() {
    let (octets, expected) = try columns(line)
    #expect(kind(octets) == expected, "\(line)")
  }
}

private func kind(_ octets: [UInt8]) -> String {
  do throws(AddressError) {
    let address = try EnvelopeAddress(octets)
    #expect(address.octets == octets)
    return address.isInternational ? "utf8" : "ok"
  } catch {
    return "\(error)"
  }
}

@Test func addressesAreNotTooLong() throws {
  let longest = [UInt8](repeating: 0x61, count: EnvelopeAddress.lengthLimit)
  #expect(kind(longest) == "ok")
  #expect(kind(longest + [0x61]) == "tooLong(limit: 1000)")
}

/// Whatever octets an address is made of: it stays between its brackets, in its line.
@Test func noAddressLeavesItsPath() {
  var generator = SeededGenerator(seed: 7)
  let interesting = [UInt8]("ab@.<>\"\\ [],:;()\r\n\0\t\u{e4}".utf8)
  var accepted = 0
  for _ in 0..<50_000 {
    let octets = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
      interesting.randomElement(using: &generator) ?? 0
    }
    guard (try? EnvelopeAddress(octets)) != nil else { continue }
    accepted += 1
    #expect(!octets.contains(where: ASCII.isControl))
    #expect(pathEnd(octets + [ASCII.greaterThan]) == octets.count, "\(Printable.text(octets))")
  }
  #expect(accepted > 100)
}

/// Where a server sees the end of the path: the first `>` outside of quotes.
private func pathEnd(_ octets: [UInt8]) -> Int? {
  var isQuoted = false
  var index = 0
  while index < octets.count {
    switch octets[index] {
    case ASCII.quote: isQuoted.toggle()
    case ASCII.backslash where isQuoted: index += 1
    case ASCII.greaterThan where !isQuoted: return index
    default: break
    }
    index += 1
  }
  return nil
}

@Test func clientNames() throws {
  for line in try Fixtures.block("client names", of: "Fixtures/addresses.txt").lines() {
    let (octets, expected) = try columns(line)
    #expect((ClientName(octets) == nil ? "no" : "ok") == expected, "\(line)")
  }
  #expect(ClientName([UInt8](repeating: 0x61, count: 256)) == nil)
  #expect(ClientName(ClientName.loopback.octets) == ClientName.loopback)
}

private func columns(_ line: String) throws -> (octets: [UInt8], expected: String) {
  let words = line.split(separator: "  ", maxSplits: 1, omittingEmptySubsequences: false)
  guard words.count == 2 else { throw HarnessError("not two columns: \(line)") }
  return (try Fixtures.unescape(String(words[0])), String(words[1]))
}

@Test func judgements() throws {
  var steps: Set<Step> = []
  for line in try Fixtures.block("judgements", of: "Fixtures/judgements.txt").lines() {
    let halves = line.split(separator: " = ")
    let words = halves[0].split(separator: " ", maxSplits: 2)
    guard let step = Step.allCases.first(where: { "\($0)" == words[0] }),
      let code = UInt16(words[1])
    else { throw HarnessError("no step or no code: \(line)") }
    steps.insert(step)
    let reply = Reply(code: code, lines: [[UInt8](words.dropFirst(2).joined().utf8)])
    #expect(
      OutcomeText.classification(ReplyClassification(reply, at: step)) == halves[1],
      "\(line)"
    )
    #expect(Refusal(reply, at: step).classification == ReplyClassification(reply, at: step))
  }
  #expect(steps == Set(Step.allCases))
}

/// A client that has logged in is told nothing about its log-in any more.
@Test(arguments: [530, 534, 535, 538] as [UInt16])
func behindALogInRefusalsAreAboutTheMessage(_ code: UInt16) {
  let reply = Reply(code: code, lines: [[UInt8]("5.7.8 no".utf8)])
  for step in [.sender, .recipient, .data, .message, .endOfData] as [Step] {
    let refusal = Refusal(reply, at: step, isLoggedIn: true)
    #expect(refusal.classification == .message(isTemporary: false), "\(step)")
  }
}

@Test func timeouts() throws {
  let lines = try Fixtures.block("timeouts", of: "Fixtures/judgements.txt").lines()
  #expect(lines == Step.allCases.map { "\($0) \($0.timeout)" })
}

/// A better secret helps against these problems and no others.
@Test func authenticationProblems() {
  for problem in [AccountProblem.credentials, .mechanism, .authenticationRequired] {
    #expect(problem.isAuthentication)
  }
  for problem in [AccountProblem.temporary, .permanent, .encryptionRequired] {
    #expect(!problem.isAuthentication)
  }
}

@Test(arguments: try Fixtures.load("Fixtures/extensions.txt"))
func extensions(_ fixture: Fixture) throws {
  let lines = try fixture.lines().map { try Fixtures.unescape($0) }
  #expect(meaning(Extensions(lines: lines)) == fixture["means"])
}

private func meaning(_ offered: Extensions) -> String {
  var words: [String] = []
  if offered.hasPipelining { words.append("PIPELINING") }
  if offered.hasSize { words.append("SIZE" + (offered.sizeLimit.map { "=\($0)" } ?? "")) }
  if offered.hasEightBitMIME { words.append("8BITMIME") }
  if offered.hasSMTPUTF8 { words.append("SMTPUTF8") }
  if offered.hasDSN { words.append("DSN") }
  if offered.hasStartTLS { words.append("STARTTLS") }
  let mechanisms = offered.mechanisms.map { String(decoding: $0, as: UTF8.self) }
  if !mechanisms.isEmpty { words.append("AUTH:" + mechanisms.joined(separator: ",")) }
  if let limit = offered.recipientLimit { words.append("RCPTMAX=\(limit)") }
  if let limit = offered.transactionLimit { words.append("MAILMAX=\(limit)") }
  return words.isEmpty ? "-" : words.joined(separator: " ")
}
