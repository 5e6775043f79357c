import MIME
import Octets
import Protection
import TestSupport
import Testing

/// Which fields stand outside what is protected, and which within.
struct WrittenFieldsTests {
  private static let fields = [
    "From: Alice <alice@example.org>", "To: bob@example.org", "Cc: carol@example.org",
    "Bcc: hidden@example.org", "Reply-To: list@example.org", "Subject: needle",
    "Date: Tue, 1 Dec 2026 12:00:00 +0000", "Message-ID: <a@example.org>",
    "In-Reply-To: <b@example.org>", "Keywords: needle", "comments: needle", "X-Own: x",
    "X-Magnum-Original: reply <b@example.org>", "X-Magnum-Protect: encrypt",
  ]

  private static let all = [
    "From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To",
    "Keywords", "comments", "X-Own", "X-Magnum-Original", "X-Magnum-Protect",
  ]

  /// Names of fields outside and inside, and those that HP-Outer names.
  private static let rows: [(String, ProtectionPlan.Purpose, [String], [String], [String])] = [
    ("sign", .sending, all, all.filter { $0 != "Bcc" }, []),
    (
      "encrypt", .sending, all.filter { !["Keywords", "comments"].contains($0) },
      all.filter { $0 != "Bcc" },
      all.filter { !["Keywords", "comments", "Bcc"].contains($0) }
    ),
    (
      "encrypt", .keeping, ["From", "Subject", "Date", "Message-ID", "X-Magnum-Protect"], all,
      ["From", "Subject", "Date", "Message-ID", "X-Magnum-Protect"]
    ),
  ]

  @Test func fieldsStandWhereTheyBelong() throws {
    let parsed = Message(Array((Self.fields.joined(separator: "\n") + "\n\n").utf8)).header.fields
    let message = OutgoingMessage(
      fields: parsed.map { field in
        OutgoingField([UInt8](field.name), text: [UInt8](field.body))
      },
      parts: [.text([UInt8](ascii: "hello\n"))]
    )
    for (name, purpose, outer, inner, seen) in Self.rows {
      var given: [UInt8] = []
      let base = try ScriptedWriting.plan(name)
      let plan = try #require(
        ProtectionPlan(.openPGP, signer: base.signer, encryption: base.encryption, for: purpose)
      )
      let fixture = try Fixtures.block(
        name == "sign" ? "signed" : "encrypted",
        of: "Fixtures/writing.txt"
      )
      let written = try ProtectionWriter.write(message, plan, token: [65]) { request in
        switch request {
        case .sign(_, let octets, _), .encrypt(_, let octets, _, _, _):
          given = (try? octets.whole()) ?? []
        default: Issue.record("\(request)")
        }
        return .ended(
          0,
          status: ScriptedWriting.status(fixture.lines("status")),
          output: (try? ScriptedWriting.output(fixture["output"] ?? "")) ?? []
        )
      }
      let outside = Message(try written.octets.whole()).header.fields
      let inside = Message(given).header.fields
      #expect(Self.names(outside).filter { $0 != "MIME-Version" } == outer, "\(name) \(purpose)")
      #expect(Self.names(inside).filter { $0 != "HP-Outer" } == inner, "\(name) \(purpose)")
      let told = inside.filter { $0.isNamed("HP-Outer") }
        .map { String(decoding: $0.body.prefix { $0 != ASCII.colon }, as: UTF8.self) }
      #expect(told == seen, "\(name) \(purpose)")
      let subject = Message(try written.octets.whole()).header.text("Subject", .native)
      #expect(subject == (name == "sign" ? [UInt8](ascii: "needle") : [UInt8](ascii: "[...]")))
      #expect(given.count { $0 == ASCII.carriageReturn } == given.count { $0 == ASCII.lineFeed })
    }
  }

  private static func names(_ fields: [HeaderField]) -> [String] {
    fields.map { String(decoding: $0.name, as: UTF8.self) }.filter { !$0.hasPrefix("Content-") }
  }
}
