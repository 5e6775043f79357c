package import Configuration
package import GnuPG
package import MIME
package import MailModel
internal import Octets
internal import Platform
package import Protection

/// Signs and encrypts the messages of an account: finds keys, and has programs do it.
package final class MessageProtector {
  package let settings: ProtectionSettings
  private let tools: GnuPG
  /// It knows what was listed in this step of a person.
  private var finder: KeyFinder

  /// A protector for an account; `tools` runs the programs.
  package init(_ settings: ProtectionSettings, _ tools: GnuPG) {
    self.settings = settings
    self.tools = tools
    finder = Self.finder(settings, tools)
  }

  private static func finder(_ settings: ProtectionSettings, _ tools: GnuPG) -> KeyFinder {
    KeyFinder(method(of: settings)) { tools.answer($0) }
  }

  private static func method(of settings: ProtectionSettings) -> ProtectionMethod {
    switch settings.method {
    case .openPGP: .openPGP
    case .sMIME: .sMIME
    }
  }

  /// By which standard.
  package var method: ProtectionMethod { Self.method(of: settings) }

  /// Looks for keys anew from now on: time has passed in which they may have changed.
  package func lookAgain() { finder = Self.finder(settings, tools) }

  private var named: KeyNumber? { settings.key.flatMap { KeyNumber($0) } }

  /// The keys for a message.
  ///
  /// - Parameters:
  ///   - protection: what is to be done with it.
  ///   - sender: the address that it comes from.
  ///   - recipients: the addresses that get it, with whether others must not see that.
  /// - Returns: what was found; a key that is missing is no error yet.
  /// - Throws: where keys cannot be listed at all.
  package func keys(
    _ protection: DraftProtection,
    sender: [UInt8],
    recipients: [(address: [UInt8], isHidden: Bool)]
  ) throws(Explanation) -> MessageKeys {
    do throws(WritingFailure) {
      let signer = protection.signs ? try finder.own(sender, named: named, for: .signing) : nil
      guard protection.encrypts else {
        return MessageKeys(method, sender: sender, signer: signer, own: nil, recipients: [])
      }
      var found: [MessageKeys.Recipient] = []
      for (address, isHidden) in recipients {
        let choice = try finder.recipient(address)
        found.append(MessageKeys.Recipient(address, isHidden: isHidden, choice))
      }
      return MessageKeys(
        method,
        sender: sender,
        signer: signer,
        own: try finder.own(sender, named: named, for: .encryption),
        recipients: found
      )
    } catch {
      throw error.explanation
    }
  }

  /// A message as it is written by a plan.
  ///
  /// - Parameters:
  ///   - message: its fields and parts.
  ///   - plan: how it is protected.
  ///   - token: letters and digits for boundaries.
  /// - Returns: the message, and the names of attached messages that became files.
  /// - Throws: why it is not written; there is no message then.
  package func write(
    _ message: OutgoingMessage,
    _ plan: ProtectionPlan,
    token: [UInt8]
  ) throws(Explanation) -> WrittenMessage {
    do throws(WritingFailure) {
      return try ProtectionWriter.write(
        message,
        plan,
        token: token,
        hold: { (octets) throws(SourceError) in try HeldOctets(octets) },
        run: { [tools] in tools.answer($0) }
      )
    } catch {
      throw (tools.hasPerson ? error : error.withoutPerson).explanation
    }
  }

  /// One's own public key as an attachment.
  ///
  /// - Throws: that there is none, or that the method has none to attach.
  package func ownKey(of sender: [UInt8]) throws(Explanation) -> DraftAttachment {
    guard method == .openPGP else {
      throw Explanation(
        .usage,
        "a signature of S/MIME brings the certificate: no key is attached",
        hint: "give --sign in place of --attach-key"
      )
    }
    let (choice, octets): (KeyChoice, [UInt8])
    do throws(WritingFailure) {
      choice = try finder.own(sender, named: named, for: .encryption)
      octets = try choice.key.map { (key) throws(WritingFailure) in try finder.exported(key) } ?? []
    } catch {
      throw error.explanation
    }
    guard let key = choice.key else {
      let words = KeyWords.problem(choice, of: sender, method, isOwn: true, "to attach")
      throw Explanation(.noUser, words, hint: KeyWords.ownHint(choice, method))
    }
    return try Self.attachment(octets, of: key)
  }

  static let keyNameStart = [UInt8](ascii: "OpenPGP_0x")

  private static func attachment(
    _ octets: [UInt8],
    of key: ListedKey
  ) throws(Explanation) -> DraftAttachment {
    let name = keyNameStart + key.fingerprint.short + [UInt8](ascii: ".asc")
    let type = FileType([UInt8](ascii: "application/pgp-keys")) ?? .unknown
    do throws(SourceError) {
      return .part(try OutgoingPart.file(octets, type: type, name: name), name: name)
    } catch {
      throw Explanation(reading: error)
    }
  }
}
