package import MailModel
internal import Platform

/// The mode in which no mail, tag, queue, server or login is changed, for callers that want a guard against slips.
package enum ReadOnlyMode {
  /// Whether the environment asks for it.
  package static var isOn: Bool {
    let value = Environment.value("MAGNUM_READ_ONLY") ?? ""
    return !value.isEmpty && value != "0"
  }

  /// What is said of a command that would change something.
  package static let refusal = Explanation(
    .refused,
    "MAGNUM_READ_ONLY is set, and this would change something; nothing is changed",
    hint: "unset MAGNUM_READ_ONLY, see magnum(7)"
  )
}
