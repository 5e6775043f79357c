internal import CommandLine
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import Submission

/// The queues of users without a home of their own, worked on by root in the name of each.
struct SystemQueues {
  private let queue: QueueContext

  init(_ queue: QueueContext) {
    self.queue = queue
  }

  /// Works on all of them; one that cannot be worked on leaves the others alone.
  ///
  /// Secrets are fetched by root before, since the users may not be able to read them.
  func flush(
    _ configuration: Configuration,
    _ body: (Configuration, Outbox) throws(SpoolError) -> ExitStatus
  ) throws(SpoolError) -> ExitStatus {
    guard UserIdentity.effective == 0 else {
      queue.command.report("--system is for root")
      return .usage
    }
    let configuration = configuration.withSecrets { sender, error in
      queue.command.report(place: sender.name, error.message, hint: error.hint)
    }
    var statuses: [ExitStatus] = []
    for user in try users() {
      let outbox = Outbox(root: SpoolPlace.system.appending("\(user)"), user: user)
      do throws(SpoolError) {
        statuses.append(
          try UserIdentity.assume(user, mapping: { SpoolError.system($0) }) {
            () throws(SpoolError) in
            try body(configuration, outbox)
          }
        )
      } catch {
        statuses.append(queue.report(error))
      }
    }
    return ExitStatus.gravest(of: statuses)
  }

  /// The users who have a directory of their own there.
  private func users() throws(SpoolError) -> [UInt32] {
    var users: [UInt32] = []
    do throws(SystemError) {
      try FileSystem.entries(of: SpoolPlace.system) { name, kind in
        var cursor = Cursor([UInt8](name))
        guard kind == .directory, let number = cursor.decimal(), cursor.isAtEnd,
          let user = UInt32(exactly: number)
        else { return }
        users.append(user)
      }
    } catch {
      guard error.isNotFound else { throw .system(error) }
    }
    return users.sorted()
  }
}
