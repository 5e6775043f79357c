package import MailModel

/// What a STORE does to flags (RFC 9051 §6.4.6).
///
/// Flags are never replaced as a whole: that would undo what others changed meanwhile. Flags that
/// are not `isStorable` are left out.
package enum FlagChange: Hashable, Sendable {
  /// `+FLAGS`: sets these, leaves the others.
  case adding([Flag])

  /// `-FLAGS`: takes these away, leaves the others.
  case removing([Flag])
}
