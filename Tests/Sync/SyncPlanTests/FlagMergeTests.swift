import MailModel
import Testing

@testable import SyncPlan

/// What is agreed on at each moment between plan and end, so that a run that is cut short there changes its mind
/// about nothing.
@Suite("Flags merge per flag")
struct FlagMergeTests {
  private static let all = (0..<64 as Range<UInt8>).map { SystemFlags(rawValue: $0) }

  @Test(
    "the side that differs from the base wins, and a run cut short before a file is renamed pushes nothing back"
  )
  func cutShort() {
    for base in Self.all {
      for local in Self.all {
        for remote in Self.all {
          let server = MessageFlags(remote)
          let merge = FlagMerge(base: MessageFlags(base), local: local, remote: server)
          let before = FlagMerge(base: merge.agreedBefore, local: local, remote: server)
          let after = FlagMerge(base: merge.agreedNow, local: merge.local, remote: server)
          let there = remote.union(merge.adding).subtracting(merge.removing)
          guard there == merge.local, before.local == merge.local, after.local == merge.local,
            before.adding == merge.adding, before.removing == merge.removing,
            after.adding == merge.adding, after.removing == merge.removing
          else {
            Issue.record("base \(base) local \(local) remote \(remote)")
            return
          }
        }
      }
    }
  }
}
