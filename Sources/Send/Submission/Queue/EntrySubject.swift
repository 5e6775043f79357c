internal import MIME
internal import Octets
internal import Platform

/// The subject of a message of which the beginning is there.
enum EntrySubject {
  /// The subject, decoded; `nil` where there is none.
  static func text(of message: ArraySlice<UInt8>) -> [UInt8]? {
    let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
    let subject = Message(header(of: message)).header.text("Subject", decoder)
    return subject.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// All up to the first empty line.
  private static func header(of message: ArraySlice<UInt8>) -> [UInt8] {
    guard message.first != ASCII.lineFeed else { return [] }
    let end = message.indices.dropLast().first { index in
      message[index] == ASCII.lineFeed && message[index + 1] == ASCII.lineFeed
    }
    return Array(message[..<(end ?? message.endIndex)])
  }
}
