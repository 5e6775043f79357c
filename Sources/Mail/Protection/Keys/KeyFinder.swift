internal import Octets

/// Looks for keys: has a program list them, and decides which one is used.
///
/// What was listed is listed no more: another finder sees what has changed since.
package final class KeyFinder {
  private struct Listing: Hashable {
    let pattern: KeyPattern
    let areSecret: Bool
  }

  private var known: [Listing: [ListedKey]] = [:]
  private let method: ProtectionMethod
  private let run: (ToolRequest) -> ToolAnswer

  /// Looks for keys of a method; the runs themselves are given to it as a function.
  package init(_ method: ProtectionMethod, run: @escaping (ToolRequest) -> ToolAnswer) {
    self.method = method
    self.run = run
  }

  /// The key to encrypt to for the owner of an address.
  ///
  /// - Throws: `WritingFailure` where keys cannot be listed at all.
  package func recipient(_ address: [UInt8]) throws(WritingFailure) -> KeyChoice {
    .recipient(address, of: try keys(of: address, areSecret: false))
  }

  /// One's own key for an address; one that is `named` whatever addresses it has.
  ///
  /// - Throws: `WritingFailure` where keys cannot be listed at all.
  package func own(
    _ address: [UInt8],
    named fingerprint: KeyNumber? = nil,
    for use: KeyUse
  ) throws(WritingFailure) -> KeyChoice {
    guard let fingerprint else {
      return .own(address, of: try keys(of: address, areSecret: true), for: use)
    }
    let keys = try keys(.key(fingerprint), areSecret: true)
    return .own(named: fingerprint, of: keys, for: use)
  }

  /// The keys that have an address somewhere; none for one that cannot be an argument.
  ///
  /// - Throws: `WritingFailure` where keys cannot be listed at all.
  package func keys(
    of address: [UInt8],
    areSecret: Bool
  ) throws(WritingFailure) -> [ListedKey] {
    guard let address = ArgumentAddress(address) else { return [] }
    return try keys(.address(address), areSecret: areSecret)
  }

  /// All keys that a pattern means.
  ///
  /// - Throws: `WritingFailure` where keys cannot be listed at all.
  package func keys(
    _ pattern: KeyPattern,
    areSecret: Bool
  ) throws(WritingFailure) -> [ListedKey] {
    let listing = Listing(pattern: pattern, areSecret: areSecret)
    if let keys = known[listing] { return keys }
    let keys = try list(pattern, areSecret: areSecret)
    known[listing] = keys
    return keys
  }

  private func list(
    _ pattern: KeyPattern,
    areSecret: Bool
  ) throws(WritingFailure) -> [ListedKey] {
    switch run(.listKeys(method, pattern, areSecret: areSecret)) {
    case .ended(let exit, let status, let listing as [UInt8]):
      guard let keys = KeyListing.keys(in: listing, method) else {
        throw .broken(method, .listing)
      }
      if exit == 0 { return keys }
      // What a program lists before it fails may lack keys, or what is wrong with them.
      guard keys.isEmpty, let error = Self.error(in: status), Self.missing.contains(error) else {
        throw .failed(method, .listing, code: Self.error(in: status))
      }
      return []
    case .noKeys: return []
    case .noProgram: throw .noProgram(method)
    case .ended, .broken, .notStored, .tooMany: throw .broken(method, .listing)
    }
  }

  /// GPG_ERR_NO_PUBKEY and GPG_ERR_NO_SECKEY: gpg fails so where there is no such key.
  private static let missing: [UInt64] = [9, 17]

  /// The only error that a listing tells of; nil for none or several.
  private static func error(in status: [UInt8]) -> UInt64? {
    let errors = (StatusLine.lines(of: status) ?? [])
      .filter { $0.is("ERROR") || $0.is("FAILURE") }
    guard errors.count == 1, errors[0].word(0)?.elementsEqual("keylist.getkey".utf8) == true else {
      return nil
    }
    return errors[0].number(1).map { $0 & 0xFFFF }
  }

  /// One's public key as text, to be attached; of S/MIME none, since a signature brings the certificate.
  ///
  /// - Throws: `WritingFailure` where the program does not give it.
  package func exported(_ key: ListedKey) throws(WritingFailure) -> [UInt8] {
    switch run(.exportKey(key.fingerprint)) {
    case .ended(0, _, let output as [UInt8]) where Armour.kind(of: output) == .publicKey:
      return output
    case .noProgram: throw .noProgram(method)
    case .ended, .broken, .notStored, .noKeys, .tooMany: throw .broken(method, .export)
    }
  }
}

/// Which keys are listed.
package enum KeyPattern: Sendable, Hashable {
  case all
  case key(KeyNumber)
  case address(ArgumentAddress)
}

/// An address that can be given to a program as an argument, in angle brackets.
package struct ArgumentAddress: Sendable, Hashable {
  package let octets: [UInt8]

  private static let marks = [UInt8](ascii: ".!#$%&'*+/=?^_{|}~@-")

  /// Nil for an address with others than letters, digits and `.!#$%&'*+/=?^_{|}~@-`: such a one has no key.
  package init?(_ address: [UInt8]) {
    guard PlainAddress.isPlain(address),
      address.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || Self.marks.contains($0)
      })
    else { return nil }
    octets = address
  }
}
