internal import Octets
internal import Web

/// What a file says of an authorization server.
enum IssuerAddress {
  /// Its address, `https://` put before a bare name; nil where it is none, or no host of the Internet.
  static func checked(_ text: String) -> String? {
    let whole = text.hasPrefix("https://") ? text : "https://\(text)"
    guard let address = try? WebAddress(whole.utf8), HostName(address.host) != nil,
      address.query == nil
    else { return nil }
    return whole
  }
}
