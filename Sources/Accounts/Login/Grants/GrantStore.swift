package import Configuration
package import OAuth
package import Platform

/// The file that keeps the login of an account, and the lock under which it is changed.
///
/// The lock is a file of its own, which is never renamed: that of the login is replaced by each change.
package struct GrantStore: Sendable {
  /// The most seconds for which another program may hold the lock.
  ///
  /// It runs commands that read a login, print the client secret, write a login and read it again, and sends a request.
  private static let lockTimeout = 4 * GrantCommands.timeout + 60

  /// Octets by which new tokens may be longer than those before.
  private static let growth = 8192

  private let account: String
  private let file: Path
  private let commands: GrantCommands?
  private let lockFile: Path
  private let interruption: Interruption?

  /// The store of an account; nothing is looked at.
  ///
  /// `interruption` ends the wait for the lock, and the command that reads a login.
  package init(_ settings: OAuthSettings, interruption: Interruption?) {
    self.interruption = interruption
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
    case nil, .refused: return nil
    case .grant(let grant): return grant
    case .handedOver:
      guard let commands else { throw failure(.notLoggedIn) }
      let octets = try commands.readLogin(of: account, interruption)
      return try parsed { () throws(GrantFile.Problem) in try GrantFile.grant(octets) }
    }
  }

  /// Whether a login is in the file that the user's commands should keep.
  package var isWaiting: Bool {
    guard commands != nil, case .grant = try? content() else { return false }
    return true
  }

  /// What is in the file; nil where there is none.
  ///
  /// - Throws: where it cannot be read, or is not what this program writes.
  package func content() throws(SecretError) -> GrantFile.Content? {
    var rules = TrustedFile.Rules(limit: GrantFile.lengthLimit)
    rules.isSecret = true
    let octets: [UInt8]
    do throws(TrustedFile.Failure) {
      octets = try TrustedFile.read(file, rules).octets
    } catch {
      if case .system(let error) = error, error.isNotFound { return nil }
      throw SecretError(key: "oauth", problem: SecretError.Problem(error, of: file))
    }
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
  /// Durable when it returns.
  ///
  /// - Throws: where it cannot be written; then the one before is still there.
  package func write(_ grant: Grant) throws(SecretError) {
    try keep(grant)
    handOver(grant)
  }

  /// Keeps a login in the file, in place of the one before; only under the lock.
  ///
  /// Durable when it returns. What is in the file counts, whatever the user's commands give.
  ///
  /// - Throws: where it cannot be written; then the one before is still there.
  func keep(_ grant: Grant) throws(SecretError) {
    try replace(with: GrantFile.octets(of: grant))
  }

  /// Keeps that a client was refused, in place of the token before; only under the lock.
  ///
  /// - Throws: where it cannot be written.
  func keep(_ refusal: MachineRefusal) throws(SecretError) {
    try replace(with: GrantFile.octets(of: refusal))
  }

  /// Gives a login that is in the file to the user's commands, where these keep logins; only under the lock.
  ///
  /// It goes from the file once they give it back as it is. One that has ended stays there: its tokens are useless.
  func handOver(_ grant: Grant) {
    guard let commands, grant.state == .active else { return }
    let octets = GrantFile.octets(of: grant)
    guard (try? commands.write(octets, loginOf: account)) != nil,
      (try? commands.readLogin(of: account, interruption)) == octets
    else { return }
    try? replace(with: GrantFile.octets(handedOver: grant))
  }

  /// Finds out whether there is room for the login that is to take the place of this one; only under the lock.
  ///
  /// - Throws: where there is none.
  func checkRoom(for grant: Grant) throws(SecretError) {
    let length = GrantFile.octets(of: grant).count + Self.growth
    do throws(SystemError) {
      try AtomicFile.checkRoom(for: file, length: length)
    } catch {
      throw failure(.notStored(error))
    }
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
  /// The file goes last: as long as it is there, a login is known of that the user's command may keep.
  ///
  /// - Throws: where the file cannot be removed, or the user's command does not take that there is none.
  package func remove() throws(SecretError) {
    do throws(SystemError) {
      guard try FileSystem.status(file, followingLinks: false) != nil else { return }
    } catch {
      throw failure(.notStored(error))
    }
    try commands?.write([], loginOf: account)
    do throws(SystemError) {
      try FileSystem.remove(file)
      try FileSystem.synchroniseDirectory(file.parent)
    } catch {
      throw failure(.notStored(error))
    }
  }

  /// Does something while no other process changes the login.
  ///
  /// - Throws: what the body throws, and where there is no lock, or another program does not give it back.
  package func withLock<Result>(
    _ body: () throws(SecretError) -> Result
  ) throws(SecretError) -> Result {
    let lock = try acquire(.after(seconds: Self.lockTimeout))
    defer { lock.release() }
    do throws(SystemError) {
      try AtomicFile.removeLeftovers(in: file.parent, of: file)
    } catch {
      throw failure(.notStored(error))
    }
    return try body()
  }

  private func acquire(_ deadline: Deadline) throws(SecretError) -> FileLock {
    switch try outcome(deadline) {
    case .acquired(let lock): return lock
    case .unsupported: throw failure(.lockUnsupported(lockFile))
    case .heldByOther:
      guard interruption?.isRequested ?? false else { throw failure(.locked(lockFile)) }
      throw SecretError(key: "oauth", problem: .interrupted)
    }
  }

  private func outcome(_ deadline: Deadline) throws(SecretError) -> FileLock.Outcome {
    do throws(SystemError) {
      try FileSystem.makeDirectories(lockFile.parent)
      return try FileLock.acquire(
        lockFile,
        until: deadline,
        pause: 0.05,
        interruption: interruption ?? Interruption()
      )
    } catch {
      throw failure(.notStored(error))
    }
  }

  private func failure(_ problem: GrantProblem) -> SecretError {
    SecretError(key: "oauth", problem: .grant(account: account, problem))
  }
}
