package import MIME
package import MailModel
package import Octets
package import Protection

/// Writes a message in a protected form that was decided before.
package struct ProtectedWriting {
  package let plan: ProtectionPlan
  private let protector: MessageProtector
  /// Gets the names of attached messages that had to become files.
  private let reportFiles: ([[UInt8]]) -> Void

  package init(
    _ plan: ProtectionPlan,
    _ protector: MessageProtector,
    reportFiles: @escaping ([[UInt8]]) -> Void = { _ in }
  ) {
    (self.plan, self.protector, self.reportFiles) = (plan, protector, reportFiles)
  }

  /// The message; `token` is letters and digits for boundaries.
  ///
  /// - Throws: why it is not written; there is no message then.
  package func octets(
    of message: OutgoingMessage,
    token: [UInt8]
  ) throws(Explanation) -> any OctetSource {
    let written = try protector.write(message, plan, token: token)
    if !written.madeFiles.isEmpty { reportFiles(written.madeFiles) }
    return written.octets
  }
}
