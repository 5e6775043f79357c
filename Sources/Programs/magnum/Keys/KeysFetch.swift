internal import CommandLine
internal import GnuPG
internal import MailModel
internal import Octets
internal import Platform
internal import Protection
internal import Terminal

/// `magnum keys fetch`: the server of an address's domain is asked for the key, after a person agreed to that.
struct KeysFetch {
  struct Options {
    var isConfirmed = false
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "fetch",
      abstract: "Ask the server of the domain for an OpenPGP key, and import it.",
      discussion: "The server learns the address. See magnum-keys(1).",
      initial: Options(),
      globals: [.config, .json, .verbose],
      options: [
        .flag("--yes", sets: \.isConfirmed, help: "Ask the server without a question first.")
      ],
      operands: .one("address"),
      changes: { _, _ in true },
      run: { options, context in
        Interruption.shared.watchSignals()
        return context.reporting { () throws(Explanation) in
          try KeysFetch(options: options, context: context).fetch()
        }
      }
    )
  }

  private func fetch() throws(Explanation) -> ExitStatus {
    let target = KeyTarget(context.operands.first ?? "", [])
    guard let address = ArgumentAddress(target.address) else {
      throw Explanation(
        .data,
        "\"\(Printable.text(target.address, limit: 254))\" is not an address that can have a key",
        hint: "an address is NAME@DOMAIN"
      )
    }
    guard try isAgreed(address) else { return .partial }
    let tools = GnuPG(for: context)
    switch tools.answer(.fetchKey(address)) {
    case .ended(0, _, _):
      let configuration = try context.configuration(isNeeded: false)
      return try KeysCommand(context, tools).list([target], configuration)
    case .ended:
      context.report(
        Explanation(
          .empty,
          "no key of \(Printable.text(address.octets)) came from \(Self.domain(address))",
          hint: "\"-v\" shows what gpg reports"
        )
      )
      return .empty
    case .noKeys: throw WritingFailure.noKeys(.openPGP).explanation
    case .noProgram: throw WritingFailure.noProgram(.openPGP).explanation
    case .broken, .notStored, .tooMany: throw WritingFailure.broken(.openPGP, .fetching).explanation
    }
  }

  private func isAgreed(_ address: ArgumentAddress) throws(Explanation) -> Bool {
    if options.isConfirmed { return true }
    let domain = Self.domain(address)
    guard context.console.canAsk, !context.globals.json else {
      throw Explanation(
        .usage,
        "the server of \(domain) would learn that this key is wanted; nothing was asked",
        hint: "--yes asks it"
      )
    }
    return context.console.confirm(
      "The server of \(domain) will be asked for the key of \(Printable.text(address.octets)), "
        + "and learn that you want it. Ask it?"
    )
  }

  private static func domain(_ address: ArgumentAddress) -> String {
    let at = address.octets.lastIndex(of: ASCII.at) ?? address.octets.startIndex
    return Printable.text(address.octets[(at + 1)...])
  }
}
