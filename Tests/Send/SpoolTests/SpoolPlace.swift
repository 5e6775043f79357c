import Glibc
import Platform
import SMTP
import Spool
import SpoolPlan
import TestSupport

/// A spool of its own, in a directory that goes with it.
struct SpoolPlace {
  let directory: TempDirectory
  let spool: Spool

  init() throws {
    directory = try TempDirectory()
    spool = Spool(root: Path(directory.path), account: "work")
    try spool.prepare(user: getuid())
  }

  /// A message that is to be sent to these.
  static func sending(
    _ recipients: [String],
    hasCopy: Bool = false,
    agent: String? = nil
  ) throws -> Action {
    let envelope = Envelope(
      from: try EnvelopeAddress(Array("me@x.test".utf8)),
      to: try recipients.map { Recipient(try EnvelopeAddress(Array($0.utf8))) }
    )
    return .send(
      Sending(
        envelope,
        messageID: nil,
        copy: hasCopy ? SentCopy() : nil,
        agent: agent.map { Array($0.utf8) }
      )
    )
  }
}
