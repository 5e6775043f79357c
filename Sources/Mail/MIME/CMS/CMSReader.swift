internal import Octets

/// Takes the content out of signed-data, the form of S/MIME in which the message lies within its signature (RFC 5652 §5).
///
/// Nothing is checked by this: who signed it, and whether it was changed, is the answer of another program.
package enum CMSReader {
  /// What was signed.
  ///
  /// - Parameter octets: the structure, in BER or DER; what follows its end does not count.
  /// - Returns: nil where it is none, has no content in it, or is not whole.
  package static func signedContent(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    guard var reader = readerOfContent(octets),
      reader.value(identifier)?.elementsEqual(data) == true,
      reader.enter(context0), let content = reader.octetString(), reader.isAtEnd,
      reader.leave(), reader.isAtEnd, reader.leave()
    else { return nil }
    // Certificates and signatures, and the ends of SignedData, of what holds it, and of ContentInfo.
    guard !reader.isAtEnd, reader.leave(), reader.leave(), reader.leave() else { return nil }
    return content
  }

  /// Whether it is signed-data of a content that is elsewhere, beyond doubt.
  ///
  /// A program that finds a content within such a signature checks that, whatever else it is given.
  package static func isDetached(_ octets: ArraySlice<UInt8>) -> Bool {
    guard var reader = readerOfContent(octets), reader.value(identifier) != nil else {
      return false
    }
    return reader.isAtEnd
  }

  /// For how many keys it is encrypted, where it is enveloped-data (RFC 5652 §6.1); nil for all else.
  package static func recipientCount(_ octets: ArraySlice<UInt8>) -> Int? {
    var reader = BERReader(octets)
    guard reader.enter(sequence), reader.value(identifier)?.elementsEqual(envelopedData) == true,
      reader.enter(context0), reader.enter(sequence), reader.skip(integer), reader.enter(set)
    else { return nil }
    var count = 0
    while !reader.isAtEnd {
      guard reader.skip(sequence) else { return nil }
      count += 1
    }
    guard reader.leave(), reader.enter(sequence), reader.leave(), reader.leave(), reader.leave(),
      reader.leave()
    else { return nil }
    return count
  }

  /// A reader within EncapsulatedContentInfo: a type, and a string of octets, without which the content is elsewhere.
  private static func readerOfContent(_ octets: ArraySlice<UInt8>) -> BERReader? {
    var reader = BERReader(octets)
    // ContentInfo, its type, and SignedData within; the version, and the algorithms of digests.
    guard reader.enter(sequence), reader.value(identifier)?.elementsEqual(signedData) == true,
      reader.enter(context0), reader.enter(sequence), reader.skip(integer), reader.skip(set),
      reader.enter(sequence)
    else { return nil }
    return reader
  }

  private static let integer: UInt8 = 0x02
  private static let identifier: UInt8 = 0x06
  private static let sequence: UInt8 = 0x30
  private static let set: UInt8 = 0x31
  private static let context0: UInt8 = 0xA0

  private static let envelopedData: [UInt8] = [
    0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x03,
  ]
  private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
  private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
}
