internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Invitations
internal import MailModel
internal import MIME
internal import Platform
internal import Terminal

// The calendar of the person.
extension InviteTask {
  /// Writes the event that is accepted; the answer is in the queue, so what goes wrong is reported alone.
  func save(_ answer: InvitationAnswer, by address: [UInt8]) -> ExitStatus {
    guard answer != .declined, let directory = configuration.calendar else { return .success }
    do throws(Explanation) {
      let filing = CalendarFiling(invitation, answer, by: address)
      try CalendarDirectory(directory).write(filing, uid: invitation.event.uid)
      return .success
    } catch {
      var problem = error
      problem.what = "queued, but the calendar is not written: \(error.what)"
      problem.status = .partial
      return context.report(problem)
    }
  }

  /// Marks the event of a cancellation.
  func saveCancellation() throws(Explanation) -> ExitStatus {
    guard let directory = configuration.calendar else {
      throw Explanation(
        .configuration,
        "there is no calendar",
        hint: "set directory in [calendar] of \(configuration.path.display)"
      )
    }
    guard invitation.method == .cancel, invitation.isMethodCertain else {
      throw Explanation(.data, place: message.found.place, "it is no cancellation")
    }
    if let newer = message.newer {
      throw Explanation(
        .data,
        place: message.found.place,
        "the cancellation is outdated",
        hint: "the newer message is \(newer)"
      )
    }
    guard !message.isDisowned else {
      throw Explanation(
        .data,
        place: message.found.place,
        "the domain of the sender says that it did not send the message"
      )
    }
    let filing = CalendarFiling(cancelling: invitation)
    let file = try CalendarDirectory(directory).write(filing, uid: invitation.event.uid)
    console.writeNote("cancelled in \(file.display)")
    return .success
  }
}
