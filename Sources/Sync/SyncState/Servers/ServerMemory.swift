package import Configuration
package import Platform

/// Remembers in the state home what an account's server was seen to do, for all connections of a run and for later runs.
package final class ServerMemory: Sendable {
  private struct Content: Sendable {
    var traits: ServerTraits
    var saved: ServerTraits
  }

  private let file: Path
  private let owner: ServerTraitsFile.Owner
  private let isRemembering: Bool
  private let content: Monitor<Content>

  /// The memory of an account in its directory of the state home.
  ///
  /// A memory that cannot be read is empty; one of another server, user or secret's source counts as that of the account as far
  /// as it can.
  package init(directory: Path, account: Account, isRemembering: Bool) {
    file = directory.appending("server")
    owner = ServerTraitsFile.Owner(login: account.digest, user: account.userDigest)
    self.isRemembering = isRemembering
    let traits = Self.read(file, owner) ?? ServerTraits()
    content = Monitor(Content(traits: traits, saved: traits))
  }

  /// What was seen so far.
  package var traits: ServerTraits { content.withLock { $0.traits } }

  /// Changes what was observed; on disk when it returns, where it is something new.
  ///
  /// Others may have noted something meanwhile: that is kept. That it cannot be written costs later runs a round trip, and
  /// is no reason to fail.
  package func updateTraits(_ change: @Sendable (inout ServerTraits) -> Void) {
    content.withLock { content in
      change(&content.traits)
      guard isRemembering, content.traits != content.saved else { return }
      if let stored = Self.read(file, owner), stored != content.saved {
        content.traits = stored
        change(&content.traits)
      }
      do throws(SystemError) {
        try FileSystem.makeDirectories(file.parent)
        try AtomicFile.replace(file, with: ServerTraitsFile.encode(content.traits, of: owner))
        content.saved = content.traits
      } catch {}
    }
  }

  /// Whether the server may be asked about mailboxes before the list of them was read.
  package var mayAskEarly: Bool { traits.mayAskEarly(now: Clock.now()) }

  private static func read(_ file: Path, _ owner: ServerTraitsFile.Owner) -> ServerTraits? {
    let octets = (try? FileSystem.readFile(file, limit: 1 << 16)) ?? nil
    return octets.flatMap { ServerTraitsFile.decode($0, of: owner) }
  }
}
