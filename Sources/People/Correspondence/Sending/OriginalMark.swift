package import Configuration
package import MailModel
package import Platform

/// The flag of a message that was answered or forwarded, set once what does so is in the queue.
package struct OriginalMark {
  private let configuration: Configuration
  private let report: @Sendable (Explanation) -> Void

  /// - Parameters:
  ///   - configuration: the accounts in whose mail the other message is.
  ///   - report: gets why an account is left out of a search, and that the flag could not be set, or is not found yet.
  package init(
    _ configuration: Configuration,
    report: @escaping @Sendable (Explanation) -> Void
  ) {
    (self.configuration, self.report) = (configuration, report)
  }

  /// Marks the other message, if it is there.
  ///
  /// - Parameters:
  ///   - origin: the other message, and what was done with it.
  ///   - path: where its file was; nil where only its id is known.
  package func set(_ origin: Draft.Origin, at path: Path? = nil) {
    let flags: SystemFlags = origin.act == .answered ? .answered : .forwarded
    do throws(SystemError) {
      if let path, try mark(MessageFile(path), flags) { return }
      // It was moved meanwhile, or is only known by its id.
      guard let finder = try? MessageFinder(configuration, report: report),
        let file = finder.file(of: origin.id)
      else { return }
      _ = try mark(file, flags)
    } catch {
      let words = "queued, but the other message could not be marked: \(error.description)"
      report(Explanation(.tryAgain, words))
    }
  }

  /// Marks a file, and has searches show that; false where it is not there.
  private func mark(_ file: MessageFile, _ flags: SystemFlags) throws(SystemError) -> Bool {
    guard let target = try file.mark(flags) else { return false }
    if let unindexed = IndexNote.renamed(file, to: target, configuration) { report(unindexed) }
    return true
  }
}
