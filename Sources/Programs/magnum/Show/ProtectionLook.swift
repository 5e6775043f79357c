internal import CommandLine
internal import Configuration
internal import GnuPG
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import Terminal

extension GnuPG {
  /// One for a command, which with `-v` prints what the programs say to people.
  convenience init(for context: CommandContext) {
    let isVerbose = context.globals.verbose
    let console = context.console
    self.init(hasPerson: GnuPG.hasPerson) { program, text in
      guard isVerbose else { return }
      for line in text.split(separator: ASCII.lineFeed) {
        console.writeNote("\(program) says: \(Printable.text(line))")
      }
    }
  }
}

/// Looks into the protection of messages that a command shows or takes apart.
///
/// A message without protection costs no process, and needs no configuration.
final class ProtectionLook {
  /// What options ask for; nil where they ask for nothing.
  struct Options {
    var verifies: Bool?
    var decrypts: Bool?
    /// Whether the configuration counts where options ask for nothing.
    var followsConfiguration = true
    /// The section of one part that is wanted; nil for all.
    var part: Section?
  }

  private let options: Options
  private let context: CommandContext
  private let isOnTerminal: Bool
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
  private let tools: GnuPG
  private var settings: CryptoSettings?
  /// Whether something was not decrypted that should have been.
  private(set) var hasFailed = false

  init(_ options: Options, _ context: CommandContext, isOnTerminal: Bool) {
    self.options = options
    self.context = context
    self.isOnTerminal = isOnTerminal
    tools = GnuPG(for: context)
  }

  /// A message with what can be found out about its protection.
  ///
  /// - Throws: a mistake in the configuration, which says what is wanted.
  func read(_ message: Message) throws(Explanation) -> ProtectionReading {
    // What programs do not ask for costs nothing.
    let isWanted = options.followsConfiguration || options.verifies ?? options.decrypts ?? false
    let parts = isWanted ? ProtectionSurvey.parts(of: message) : []
    guard !parts.isEmpty else { return .unread(message) }
    let wishes = try wishes(parts, in: message)
    tools.beginMessage()
    let reading = ProtectionReader.read(message, wishes, decoder) { [tools] in tools.answer($0) }
    let failures = reading.encryptions.filter { isFailure($0, in: reading.message) }
    if options.decrypts == true, !failures.isEmpty { hasFailed = true }
    return reading
  }

  /// Whether something is not decrypted that was asked for.
  private func isFailure(_ encryption: EncryptionFinding, in message: Message) -> Bool {
    guard case .failed(let reason) = encryption.outcome, reason != .elsewhere, reason != .inside,
      reason != .mixed || encryption.part.isInEnvelope && encryption.part.nesting == 0
    else { return false }
    guard let wanted = options.part, let section = message.part(at: encryption.part.path)?.section
    else { return true }
    return wanted.numbers.starts(with: section.numbers)
  }

  private func wishes(
    _ parts: [ProtectedPart],
    in message: Message
  ) throws(Explanation) -> ProtectionWishes {
    var wishes = ProtectionWishes(
      verifies: options.verifies ?? options.decrypts ?? false,
      decrypts: options.decrypts ?? false,
      now: Clock.now()
    )
    if options.followsConfiguration {
      let settings = try readSettings()
      if options.verifies == nil, options.decrypts != true {
        wishes.verifies = settings.verification == .show
      }
      switch settings.decryption {
      case .never where options.decrypts == true:
        throw Explanation(
          .usage,
          "nothing is decrypted: decrypt = \"never\" in [crypto] of the configuration",
          hint: "\"ask\" there decrypts with --decrypt true only"
        )
      case .terminal where options.decrypts == nil: wishes.decrypts = isOnTerminal
      case .never, .ask, .terminal: break
      }
    }
    wishes.onlyPart = onlyPart(parts, in: message)
    wishes.canAsk = tools.hasPerson
    return wishes
  }

  private func readSettings() throws(Explanation) -> CryptoSettings {
    if let settings { return settings }
    let read = try context.configuration(isNeeded: false).crypto
    settings = read
    return read
  }

  /// The encrypted part that is not decrypted with the message, if it is the one that is wanted, or around that one.
  private func onlyPart(_ parts: [ProtectedPart], in message: Message) -> [Int]? {
    guard let wanted = options.part else { return nil }
    return parts.first { part in
      guard part.mayBeEncryption, !part.isInEnvelope || part.nesting > 0,
        let section = message.part(at: part.payload)?.section
      else { return false }
      return wanted.numbers.starts(with: section.numbers)
    }?.payload
  }
}
