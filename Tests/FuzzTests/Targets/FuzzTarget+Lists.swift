import MIME
import MailModel
import Octets
import Web

/// What messages offer to those who leave a list.
extension FuzzTarget {
  /// Wherever octets lead, a request goes to a name with a dot, by https, and a message to one whole address.
  static func readList(_ octets: [UInt8]) {
    let decoder = CharsetDecoder { _, octets in Array(octets) }
    let header = Message(octets).header
    _ = header.listID(decoder)
    let servers = TrustedServers(names: [Array("mx.me.test".utf8)], hops: 0)
    let verdict = SenderVerdict(of: header, by: servers, decoder)
    var addresses = [octets]
    if let offer = UnsubscribeOffer(header, verdict, isJunk: false) {
      switch offer.way {
      case .oneClick(let address), .mail(let address), .web(let address):
        precondition(!address.contains { $0 <= 0x20 })
        addresses.append(address)
      }
    }
    for address in addresses {
      if let mail = try? MailtoAddress(address) {
        precondition(!mail.recipient.domain.isEmpty && !mail.recipient.localPart.isEmpty)
        precondition(!mail.subject.contains { $0 < 0x20 })
      }
      guard let request = try? OneClickRequest(address) else { continue }
      precondition(request.address.octets.starts(with: Array("https://".utf8)))
      precondition(request.address.host.contains(0x2E) && request.address.port == nil)
    }
  }
}
