internal import MailStore
internal import IMAP

extension Capabilities {
  /// Whether the server moves messages in one step (RFC 6851; a part of RFC 9051).
  var canMove: Bool { contains("MOVE") || contains("IMAP4rev2") }

  /// Whether the server expunges by UID and tells new UIDs (RFC 4315; a part of RFC 9051).
  var hasUIDPlus: Bool { contains("UIDPLUS") || contains("IMAP4rev2") }

  /// Whether the server remembers the messages that it found (RFC 5182; a part of RFC 9051).
  var canRememberFound: Bool { contains("SEARCHRES") || contains("IMAP4rev2") }
}
