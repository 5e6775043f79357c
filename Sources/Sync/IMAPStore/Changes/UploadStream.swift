internal import IMAP
internal import MailModel
internal import MailStore
internal import MessageContent
internal import Octets
internal import Platform
internal import Transport

/// Sends APPENDs and the octets of their messages, without keeping a whole message in memory.
struct UploadStream {
  private static let runLength = 64 << 10

  /// Messages that go to a mailbox with one command.
  typealias Upload = (mailbox: MailboxName, messages: [any MessageSource])

  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Sends the messages; gives what came of each in the same form.
  ///
  /// `behind` may send more in the same round trip.
  func send(
    _ uploads: [Upload],
    behind: () -> Void
  ) throws(SyncFailure) -> [[AppendResult]] {
    let responses = try responses(to: uploads, behind)
    return zip(uploads.map(\.messages), responses).map { messages, response in
      guard response.kind == .ok else {
        return messages.map { _ in .refused(ServerReply(response)) }
      }
      guard let (validity, uids) = response.code?.appended(messages.count) else {
        return messages.map { _ in .taken }
      }
      return uids.map { .appended(validity: validity, uid: $0) }
    }
  }

  private func responses(
    to uploads: [Upload],
    _ behind: () -> Void
  ) throws(SyncFailure) -> [StatusResponse] {
    let reading = UploadReading()
    return try connection.perform(
      uploads.map { .append($0.mailbox, $0.messages.compactMap(\.message)) },
      behind: behind
    ) { (number, request) throws(SyncFailure) in
      // A command that was refused before its message was wanted leaves the other messages their own files.
      if request.remaining == request.size {
        try reading.begin(uploads[number].messages[request.index])
      }
      return try reading.next(atMost: Int(min(UInt64(Self.runLength), request.remaining)))
    }
  }
}

/// The octets of one message after the other.
private final class UploadReading {
  private var reader: WireReader?

  func begin(_ upload: any MessageSource) throws(SyncFailure) {
    do throws(SystemError) {
      reader = try upload.open()
    } catch {
      guard error.isNotFound else { throw .system(error) }
      throw .transport(.closed)
    }
  }

  func next(atMost count: Int) throws(SyncFailure) -> ArraySlice<UInt8> {
    let octets = try attempt(reader?.next(atMost: count) ?? [])
    // The file shrank since it was measured: what the server has so far is no message of ours.
    guard !octets.isEmpty else { throw .transport(.closed) }
    return octets
  }
}

extension MessageSource {
  /// What APPEND tells of it; nil for an empty one.
  fileprivate var message: AppendMessage? {
    AppendMessage(
      flags: marks.system.imapFlags + marks.keywords.map { Flag.keyword($0) },
      internalDate: arrival,
      size: wireSize
    )
  }
}
