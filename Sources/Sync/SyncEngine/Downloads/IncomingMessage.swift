internal import Maildir
internal import MailStore
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// The message that a server gives just now, on its way into tmp of a Maildir.
///
/// A message that is not taken does not stay there, however the run ends.
struct IncomingMessage: ~Copyable {
  /// A message of which all octets came.
  struct Body {
    let file: DeliveredMessage
    let identity: ContentIdentity
  }

  /// How many may be at work for one mailbox at the same time.
  private static let most = 64

  private let directory: Path
  private let header: MailboxHeader
  /// Tells apart what lies in tmp, also from that of others at work.
  private var number: Int
  private var delivery: MaildirDelivery?
  private var content = ContentBox()
  private var body: Body?

  /// Messages for a Maildir; each that is at work for its mailbox has a number of its own below 64.
  init(to directory: Path, _ header: MailboxHeader, number: Int) {
    self.directory = directory
    self.header = header
    self.number = number
  }

  /// The octets of a message begin.
  mutating func begin() {
    number += Self.most
    let key = MessageKey(
      validity: header.validity,
      uid: UInt32(truncatingIfNeeded: number),
      mailbox: header.id
    )
    content = ContentBox()
    let content = content
    delivery = MaildirDelivery(
      to: directory,
      temporaryName: FetchName.octets(key),
      observer: { content.readOctets($0) }
    )
  }

  /// Its next octets, as they came over the wire.
  mutating func receiveOctets(_ octets: ArraySlice<UInt8>) throws(SyncFailure) {
    do throws(SystemError) {
      try delivery?.write(octets)
    } catch {
      throw .system(error)
    }
  }

  /// Its octets are complete.
  mutating func end() throws(SyncFailure) {
    guard let ended = delivery.take() else { return }
    do throws(SystemError) {
      body = Body(file: try ended.finish(), identity: content.finish())
    } catch {
      throw .system(error)
    }
  }

  /// Octets on the wire of the message that is complete; 0 where none is.
  var octets: UInt64 { UInt64(body?.file.wireSize ?? 0) }

  /// Hands over the message that is complete; nil where none is.
  mutating func takeBody() -> Body? { body.take() }

  /// Removes a message that is incomplete, or that was not taken.
  mutating func abandon() {
    delivery = nil
    Self.remove(body.take())
  }

  deinit { Self.remove(body) }

  private static func remove(_ body: Body?) {
    if let body { try? FileSystem.remove(body.file.temporaryPath) }
  }
}

/// Reads the content of a message while it goes through.
private final class ContentBox {
  private var reader: ContentReader? = ContentReader()

  /// Reads the next octets of the message.
  func readOctets(_ octets: UnsafeRawBufferPointer) {
    reader?.readOctets(octets)
  }

  /// The identity of what was taken; empty when asked twice.
  func finish() -> ContentIdentity {
    reader.take()?.finish() ?? ContentIdentity(messageID: 0, bodyHigh: 0, bodyLow: 0, header: 0)
  }
}
