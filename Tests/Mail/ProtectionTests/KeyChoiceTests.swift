import Octets
import Protection
import TestSupport
import Testing

/// What listings of gpg and gpgsm say of keys, and which key is chosen.
struct KeyChoiceTests {
  @Test(arguments: try Fixtures.load("Fixtures/keys.txt"))
  func keysAreListedAndChosen(_ fixture: Fixture) throws {
    let method: ProtectionMethod = fixture.body == "smime" ? .sMIME : .openPGP
    let keys = KeyListing.keys(in: Self.listing(fixture), method)
    #expect((keys.map { $0.map(KeyText.line) } ?? ["malformed"]) == fixture.lines("is"))
    let finder = KeyFinder(method) { request in
      guard case .listKeys(method, _, _) = request else { return .broken }
      return .ended(0, status: [], output: Self.listing(fixture))
    }
    for line in fixture.lines("choices") {
      let words = line.split(separator: " ", maxSplits: 2).map { "\($0)" }
      #expect(try KeyText.choice(finder, words) == words[2], "\(line)")
    }
  }

  /// A listing that is cut off anywhere offers no key that the whole one does not, and none for another use.
  @Test(arguments: try Fixtures.load("Fixtures/keys.txt"))
  func listingsThatAreCutOffOfferNothingNew(_ fixture: Fixture) throws {
    let method: ProtectionMethod = fixture.body == "smime" ? .sMIME : .openPGP
    let listing = Self.listing(fixture)
    let whole = KeyListing.keys(in: listing, method) ?? []
    for end in listing.indices.dropFirst() {
      let keys = KeyListing.keys(in: [UInt8](listing[..<end]), method)
      #expect(keys == nil || listing[end - 1] == 10, "\(end)")
      for key in keys ?? [] {
        let same = whole.first { $0.fingerprint == key.fingerprint }
        #expect(Set(key.signers).isSubset(of: same?.signers ?? []), "\(end)")
        #expect(Set(key.encrypters).isSubset(of: same?.encrypters ?? []), "\(end)")
        #expect(key.userIDs.allSatisfy { same?.userIDs.contains($0) == true }, "\(end)")
      }
    }
  }

  private static func listing(_ fixture: Fixture) -> [UInt8] {
    Array(fixture.lines("listing").map { "\($0)\n" }.joined().utf8)
  }

  @Test(arguments: [
    ("a@b.example", true), ("a.b+c=d@b.example", true), ("o'neil@b.example", true),
    ("!#$%&'*+/=?^_{|}~-@b", true), ("-x@b", true), ("a`b@c", false), ("\"a b\"@c", false),
    ("a@b@c", false), ("ä@b.example", false), ("a@b\n", false), ("", false), ("a", false),
    ("<a@b>", false), ("a@[1.2.3.4]", false), ("a\\b@c", false),
  ])
  func onlySafeAddressesAreArguments(_ address: String, _ isSafe: Bool) {
    #expect((ArgumentAddress(Array(address.utf8)) != nil) == isSafe)
  }

  @Test func anAddressThatIsNoArgumentHasNoKey() throws {
    let finder = KeyFinder(.openPGP) { request in
      Issue.record("\(request) is run")
      return .broken
    }
    #expect(try finder.recipient(Array("a`b@c.example".utf8)) == .none([]))
  }

  @Test(
    arguments: [
      (ToolAnswer.noKeys, nil), (.noProgram, WritingFailure.noProgram(.sMIME)),
      (.broken, .broken(.sMIME, .listing)),
      (.ended(0, status: [], output: Array("crt:f".utf8)), .broken(.sMIME, .listing)),
      (.ended(0, status: [], output: Array("crt:f:\n".utf8)), .broken(.sMIME, .listing)),
      (.ended(0, status: [], output: []), nil),
      (.ended(2, status: [], output: []), .failed(.sMIME, .listing, code: nil)),
      (.ended(2, status: error(9), output: []), nil),
      (.ended(2, status: error(134_217_737), output: Array("tru::1:1:0:3:1:5\n".utf8)), nil),
      (.ended(2, status: error(17), output: []), nil),
      (.ended(2, status: error(9) + error(9), output: []), .failed(.sMIME, .listing, code: nil)),
      (.ended(2, status: error(134_234_109), output: []), .failed(.sMIME, .listing, code: 16_381)),
      (.ended(2, status: [], output: listed), .failed(.sMIME, .listing, code: nil)),
      (.ended(2, status: error(9), output: listed), .failed(.sMIME, .listing, code: 9)),
    ] as [(ToolAnswer, WritingFailure?)]
  )
  func withoutAListingThereIsNoChoice(_ answer: ToolAnswer, _ failure: WritingFailure?) throws {
    let finder = KeyFinder(.sMIME) { _ in answer }
    do throws(WritingFailure) {
      #expect(try finder.recipient(Array("a@b.example".utf8)) == .none([]) && failure == nil)
    } catch {
      #expect(error == failure)
    }
  }

  private static func error(_ code: Int) -> [UInt8] {
    Array("[GNUPG:] ERROR keylist.getkey \(code)\n".utf8)
  }

  /// The only one of two keys that a listing came to.
  private static let listed = Array(
    """
    crt:f:2048:1:89ABCDEF0123AAAA:20261201T134412:20281031T134412:65BC::CN=Test CA::esES::::::23:
    fpr:::::::::0123456789ABCDEF0123456789ABCDEF0123AAAA:::0123456789ABCDEF0123456789ABCDEF0123CCCC:
    uid:f::::::::<a@b.example>::

    """.utf8
  )
}

/// Keys and choices as lines; keys by the end of their fingerprints.
private enum KeyText {
  static func line(_ key: ListedKey) -> String {
    let words = [
      name(key), key.fault?.rawValue ?? "fine", uses(key),
      "\(key.created ?? 0)-\(key.expires.map { "\($0)" } ?? "")",
    ]
    return (words + key.userIDs.map(userID)).joined(separator: " ")
  }

  private static func name(_ key: ListedKey) -> String { end(key.fingerprint) }

  private static func end(_ number: KeyNumber) -> String {
    String(decoding: number.digits.suffix(4), as: UTF8.self)
  }

  private static func uses(_ key: ListedKey) -> String {
    "s(\(key.signers.map(end).joined(separator: ",")))"
      + "e(\(key.encrypters.map(end).joined(separator: ",")))"
  }

  private static func userID(_ userID: ListedKey.UserID) -> String {
    let address = userID.address.map { String(decoding: $0, as: UTF8.self) } ?? "-"
    return address + (userID.isRevoked ? "!" : userID.isCertified ? "+" : "?")
  }

  /// The choice for the word before: `to` a recipient, or one's own to `sign`, to `encrypt`, or by a fingerprint in the place of
  /// the address.
  static func choice(_ finder: KeyFinder, _ words: [String]) throws -> String {
    let address = Array(words[1].utf8)
    let named = KeyNumber(address)
    switch words[0] {
    case "to": return text(try finder.recipient(address))
    case "sign": return text(try finder.own(address, named: named, for: .signing))
    default: return text(try finder.own(address, named: named, for: .encryption))
    }
  }

  private static func text(_ choice: KeyChoice) -> String {
    switch choice {
    case .chosen(let key, let isCertified): name(key) + (isCertified ? " certified" : "")
    case .several(let keys): "several " + keys.map(name).joined(separator: " ")
    case .none(let refused):
      (["none"] + refused.map { "\(name($0.key)):\($0.fault.rawValue)" }).joined(separator: " ")
    }
  }
}
