package import Configuration
package import OAuth
package import Platform

/// The file that keeps the login of an account, and the lock under which it is changed.
///
/// The lock is a file of its own, which is never renamed: that of the login is replaced by each change.
package struct GrantStore: Sendable {
  /// The most seconds for which another program may hold the lock: longer than a request can take.
  private static let patience = 90.0

  private let account: String
  private let file: Path
  private let commands: GrantCommands?
  private let lockFile: Path

  /// The store of an account; nothing is looked at.
  package init(_ settings: OAuthSettings) {
    account = settings.account
    commands = settings.store
    file = settings.grantFile
    lockFile = settings.directory.appending("oauth.lock")
  }

  /// What is kept; nil where there is no login.
  ///
  /// - Throws: where it cannot be read, or is not what this program writes.
  package func read() throws(SecretError) -> Grant? {
    switch try content() {
    case nil: return nil
    case .grant(let grant): return grant
    case .handedOver:
      guard let commands else { throw failure(.notLoggedIn) }
      let octets = try commands.readLogin(of: account)
      return try parsed { () throws(GrantFile.Problem) in try GrantFile.grant(octets) }
    }
  }

  /// Whether a login is in the file that the user's commands should keep.
  package var isWaiting: Bool {
    guard commands != nil, case .grant = try? content() else { return false }
    return true
  }

  private func content() throws(SecretError) -> GrantFile.Content? {
    let octets: [UInt8]?
    do throws(SystemError) {
      octets = try FileSystem.readFile(file, limit: GrantFile.lengthLimit)
    } catch {
      throw SecretError(key: "oauth", problem: .unreadable(file, error))
    }
    guard let octets else { return nil }
    return try parsed { () throws(GrantFile.Problem) in try GrantFile.content(octets) }
  }

  private func parsed<Result>(
    _ body: () throws(GrantFile.Problem) -> Result
  ) throws(SecretError) -> Result {
    do {
      return try body()
    } catch {
      switch error {
      case .damaged: throw failure(.damaged(file))
      case .newer: throw failure(.newer(file))
      }
    }
  }

  /// Keeps a login in place of the one before; only under the lock.
  ///
  /// Durable when it returns. Where the user's commands keep logins, it goes from the file once they give it back as it is.
  ///
  /// - Throws: where it cannot be written; then the one before is still there.
  package func write(_ grant: Grant) throws(SecretError) {
    let octets = GrantFile.octets(of: grant)
    try replace(with: octets)
    guard let commands, (try? commands.write(octets, loginOf: account)) != nil,
      (try? commands.readLogin(of: account)) == octets
    else { return }
    try replace(with: GrantFile.octets(handedOver: grant))
  }

  /// Finds out whether there is room for a login as large as this one, which is kept; only under the lock.
  ///
  /// - Throws: where there is none.
  package func checkRoom(for grant: Grant) throws(SecretError) {
    if commands == nil { try replace(with: GrantFile.octets(of: grant)) }
  }

  private func replace(with octets: [UInt8]) throws(SecretError) {
    do throws(SystemError) {
      try AtomicFile.replace(file, with: octets, mode: 0o600)
    } catch {
      throw failure(.notStored(error))
    }
  }

  /// Forgets the login; only under the lock.
  ///
  /// - Throws: where the file cannot be removed, or the user's command does not take that there is none.
  package func remove() throws(SecretError) {
    do throws(SystemError) {
      guard try FileSystem.status(file, followingLinks: false) != nil else { return }
      try FileSystem.remove(file)
      try FileSystem.synchroniseDirectory(file.parent)
    } catch {
      throw failure(.notStored(error))
    }
    try commands?.write([], loginOf: account)
  }

  /// Does something while no other program changes the login.
  ///
  /// - Throws: what the body throws, and where there is no lock, or another program does not give it back.
  package func withLock<Result>(
    interruption: Interruption?,
    _ body: () throws(SecretError) -> Result
  ) throws(SecretError) -> Result {
    let lock = try acquire(.after(seconds: Self.patience), interruption)
    defer { lock.release() }
    do throws(SystemError) {
      try AtomicFile.removeLeftovers(in: file.parent, of: file)
    } catch {
      throw failure(.notStored(error))
    }
    return try body()
  }

  private func acquire(
    _ deadline: Deadline,
    _ interruption: Interruption?
  ) throws(SecretError) -> FileLock {
    while true {
      switch try outcome() {
      case .acquired(let lock): return lock
      case .unsupported: throw failure(.lockUnsupported(lockFile))
      case .heldByOther:
        guard !deadline.isPast else { throw failure(.locked(lockFile)) }
        if interruption?.isRequested ?? false {
          throw SecretError(key: "oauth", problem: .interrupted)
        }
        _ = (interruption ?? Interruption()).sleep(seconds: 0.05)
      }
    }
  }

  private func outcome() throws(SecretError) -> FileLock.Outcome {
    do throws(SystemError) {
      try FileSystem.makeDirectories(lockFile.parent)
      return try FileLock.acquire(lockFile)
    } catch {
      throw failure(.notStored(error))
    }
  }

  private func failure(_ problem: GrantProblem) -> SecretError {
    SecretError(key: "oauth", problem: .grant(account: account, problem))
  }
}
