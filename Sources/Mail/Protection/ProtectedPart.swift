package import MIME
internal import Octets

/// The two ways to protect mail, each with the program that checks and decrypts it.
package enum ProtectionMethod: String, Sendable, Hashable, CaseIterable {
  /// RFC 9580 and RFC 3156, by gpg.
  case openPGP = "OpenPGP"
  /// RFC 8551, by gpgsm.
  case sMIME = "S/MIME"

  /// The program for it.
  package var program: String {
    switch self {
    case .openPGP: "gpg"
    case .sMIME: "gpgsm"
    }
  }

  /// What people call a key of it.
  package var keyName: String {
    switch self {
    case .openPGP: "OpenPGP key"
    case .sMIME: "certificate"
    }
  }

  /// The package of Debian that has the program.
  package var programPackage: String {
    switch self {
    case .openPGP: "gnupg"
    case .sMIME: "gpgsm"
    }
  }
}

/// A part of a message that says to be signed or encrypted.
package struct ProtectedPart: Sendable {
  /// In which form.
  package enum Form: Sendable {
    /// Two parts: what is signed, and the signature (RFC 1847 §2.1).
    case detached
    /// What is signed lies within the signature.
    case opaque
    /// Encrypted; whether a change would be noticed is only known of S/MIME before it is decrypted.
    case encrypted(isAuthenticated: Bool)
    /// A text that is one signed text of OpenPGP.
    case inlineSigned
    /// A text that is one encrypted text of OpenPGP, or one that is signed within its armour.
    case inlineMessage
    /// A text that has a text of OpenPGP and something beside it; whether an armoured message is in it.
    case inlineMixed(hasMessage: Bool)
    /// It cannot be what it says to be.
    case malformed(Malformation)
  }

  /// What is wrong with a form.
  package enum Malformation: Sendable, Hashable {
    /// A signed multipart has not exactly two parts, its second one is of another type than it says, or the signature has a
    /// content of its own.
    case signature
    /// The method of a signature is not known.
    case unknownSignature
    /// An encrypted multipart is not as RFC 3156 has it.
    case encryption
    /// The message is compressed with S/MIME.
    case compression
  }

  /// Where it is, from the root of the message: the place of each part among its siblings, from 0.
  package let path: [Int]
  package let method: ProtectionMethod
  package let form: Form
  /// Whether it and all parts above it, up to the root of the message, are protected: then it protects the message.
  package let isInEnvelope: Bool
  /// How many messages it lies in, besides the outermost one.
  package let nesting: Int
  /// Whether it lies in what was decrypted.
  package let isInside: Bool
  /// What it protects, which may be the part itself.
  package let payload: [Int]

  /// Whether it says to be encrypted, or hidden in another way.
  package var isEncryption: Bool {
    switch form {
    case .encrypted, .malformed(.encryption), .malformed(.compression): true
    case .detached, .opaque, .inlineSigned, .inlineMessage, .inlineMixed, .malformed: false
    }
  }

  /// Whether it may hold what is encrypted: that of an armoured message is not known before it is opened.
  package var mayBeEncryption: Bool {
    switch form {
    case .inlineMessage, .inlineMixed(hasMessage: true): true
    default: isEncryption
    }
  }
}

/// Finds the protected parts of a message.
///
/// The envelope begins at the root and goes down through protected parts alone; a message inside has an envelope of its own.
package struct ProtectionSurvey {
  /// The parts that were decrypted, by their paths.
  private let decrypted: Set<[Int]>
  private var found: [ProtectedPart] = []

  /// The protected parts of a message, each before those within it.
  ///
  /// Some of its parts may have been opened; `decrypted` are the paths of those that were decrypted.
  package static func parts(of message: Message, decrypted: Set<[Int]> = []) -> [ProtectedPart] {
    var survey = ProtectionSurvey(decrypted: decrypted)
    survey.visit(message.root, Position())
    return survey.found
  }

  private init(decrypted: Set<[Int]>) {
    self.decrypted = decrypted
  }

  /// Where a part is.
  private struct Position {
    var path: [Int] = []
    var isInEnvelope = true
    var isRoot = true
    var nesting = 0
    var isInside = false

    func child(_ place: Int, isInEnvelope: Bool) -> Position {
      var result = self
      result.path.append(place)
      result.isInEnvelope = isInEnvelope
      result.isRoot = false
      return result
    }

    var inside: Position {
      var result = child(0, isInEnvelope: true)
      result.isRoot = true
      result.nesting += 1
      return result
    }
  }

  private mutating func visit(_ part: Part, _ position: Position) {
    var position = position
    if decrypted.contains(position.path) { position.isInside = true }
    if part.kind == .message {
      guard let root = part.messageInside else { return }
      return visit(root, position.inside)
    }
    if part.contentType.isType("multipart", "signed"), part.kind == .multipart {
      return visitSigned(part, position)
    }
    if part.contentType.isType("multipart", "encrypted"), part.kind == .multipart {
      return visitEncrypted(part, position, payload: 1)
    }
    let isOpened = decrypted.contains(position.path + [2])
    if position.isRoot, position.nesting == 0, isOpened || Self.isMadeByExchange(part) {
      return visitEncrypted(part, position, payload: 2)
    }
    if let secured = part.secured { return visit(secured, part, position) }
    if part.kind == .leaf { return visitLeaf(part, position) }
    for (place, child) in part.children.enumerated() {
      visit(child, position.child(place, isInEnvelope: false))
    }
  }

  private mutating func add(
    _ method: ProtectionMethod,
    _ form: ProtectedPart.Form,
    _ position: Position,
    payload: [Int]? = nil
  ) {
    found.append(
      ProtectedPart(
        path: position.path,
        method: method,
        form: form,
        isInEnvelope: position.isInEnvelope,
        nesting: position.nesting,
        isInside: position.isInside,
        payload: payload ?? position.path
      )
    )
  }

  // MARK: Signed

  private mutating func visitSigned(_ part: Part, _ position: Position) {
    let told = part.contentType.parameters.octets("protocol").flatMap { ContentType($0) }
    let method = told.flatMap(Self.method(ofSignature:))
    let payload = position.child(0, isInEnvelope: position.isInEnvelope)
    switch (method, Self.hasSignature(part, like: told)) {
    case (let method?, true):
      add(method, .detached, position, payload: payload.path)
    case (let method?, false): add(method, .malformed(.signature), position)
    case (nil, _):
      let malformation: ProtectedPart.Malformation = told == nil ? .signature : .unknownSignature
      add(.openPGP, .malformed(malformation), position)
    }
    for (place, child) in part.children.enumerated() {
      visit(child, place == 0 ? payload : position.child(place, isInEnvelope: false))
    }
  }

  private static func hasSignature(_ part: Part, like told: ContentType?) -> Bool {
    guard part.children.count == 2, let told else { return false }
    let type = part.children[1].contentType
    return type.octets == told.octets
      || method(ofSignature: type) == .sMIME && method(ofSignature: told) == .sMIME
  }

  private static func method(ofSignature type: ContentType) -> ProtectionMethod? {
    if type.isType("application", "pgp-signature") { return .openPGP }
    let isSMIME =
      type.isType("application", "pkcs7-signature")
      || type.isType("application", "x-pkcs7-signature")
    return isSMIME ? .sMIME : nil
  }

  // MARK: Encrypted

  private mutating func visitEncrypted(_ part: Part, _ position: Position, payload place: Int) {
    let payload = position.child(place, isInEnvelope: position.isInEnvelope)
    let isOpened = decrypted.contains(payload.path)
    let isWellFormed = isOpened || place == 2 || Self.isEncryptedByOpenPGP(part)
    add(
      .openPGP,
      isWellFormed ? .encrypted(isAuthenticated: true) : .malformed(.encryption),
      position,
      payload: payload.path
    )
    if isOpened { visit(part.children[place], payload) }
  }

  private static func isEncryptedByOpenPGP(_ part: Part) -> Bool {
    let told = part.contentType.parameters.octets("protocol").flatMap { ContentType($0) }
    return told?.isType("application", "pgp-encrypted") == true && part.children.count == 2
      && isVersion(part.children[0]) && part.children[1].kind == .leaf
      && part.children[1].contentType.isType("application", "octet-stream")
  }

  /// Whether a part says that what follows it is encrypted as RFC 3156 §4 has it.
  private static func isVersion(_ part: Part) -> Bool {
    guard part.contentType.isType("application", "pgp-encrypted"), part.kind == .leaf,
      part.body.count < 1000
    else { return false }
    let lines = part.decoded.split { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
    return lines.contains { $0.startsCaseless(with: "Version: 1") }
  }

  /// What Exchange makes of PGP/MIME: a blank text, the version, and the armour, side by side.
  private static func isMadeByExchange(_ part: Part) -> Bool {
    guard part.contentType.isType("multipart", "mixed"), part.children.count == 3 else {
      return false
    }
    let (text, version, armour) = (part.children[0], part.children[1], part.children[2])
    let isBlank =
      text.contentType.isType("text", "plain") && text.kind == .leaf && text.body.count < 1000
      && text.decoded.allSatisfy { $0 <= ASCII.space }
    return isBlank && isVersion(version) && armour.kind == .leaf
      && InlineArmour.beginsMessage(armour.encoding.decode(armour.body.prefix(4096)))
  }

  // MARK: S/MIME in one piece

  private mutating func visit(_ secured: SecuredContent, _ part: Part, _ position: Position) {
    let payload = position.child(0, isInEnvelope: position.isInEnvelope)
    switch secured {
    case .signed where part.isOpenedCMS: add(.sMIME, .opaque, position, payload: payload.path)
    // Elsewhere it is a document that is attached.
    case .signed where !position.isInEnvelope: return
    case .signed: return add(.sMIME, .malformed(.signature), position)
    case .encrypted: add(.sMIME, .encrypted(isAuthenticated: false), position)
    case .authenticated: add(.sMIME, .encrypted(isAuthenticated: true), position)
    case .compressed: return add(.sMIME, .malformed(.compression), position)
    case .certificates: return
    }
    if let child = part.children.first { visit(child, payload) }
  }

  // MARK: OpenPGP within a text

  private mutating func visitLeaf(_ part: Part, _ position: Position) {
    guard part.contentType.isType("text", "plain"), part.role == .body,
      let armour = InlineArmour(part)
    else { return }
    switch armour {
    case .signed: add(.openPGP, .inlineSigned, position)
    case .message: add(.openPGP, .inlineMessage, position)
    case .mixed(let hasMessage): add(.openPGP, .inlineMixed(hasMessage: hasMessage), position)
    }
  }
}
