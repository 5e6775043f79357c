internal import CommandLine
internal import Configuration
internal import GnuPG
internal import MailModel
internal import Octets
internal import Protection
internal import Terminal

/// Looks for the keys of an address by both programs, and for the one that would be used.
struct KeySearch {
  private let tools: GnuPG
  private let context: CommandContext

  init(_ tools: GnuPG, _ context: CommandContext) {
    (self.tools, self.context) = (tools, context)
  }

  /// The keys of an address, those of OpenPGP first.
  ///
  /// - Throws: an address that cannot have a key, or that no program is there.
  func rows(
    of target: KeyTarget,
    _ policy: ProtectionSettings.Uncertified
  ) throws(Explanation) -> [KeyRow] {
    guard ArgumentAddress(target.address) != nil else {
      throw Explanation(
        .data,
        "\"\(Printable.text(target.address, limit: 254))\" is not an address that can have a key",
        hint: "an address is NAME@DOMAIN, of letters, digits and .!#$%&'*+/=?^_{|}~-"
      )
    }
    var rows: [KeyRow] = []
    var missing: [WritingFailure] = []
    for method in ProtectionMethod.allCases {
      let finder = KeyFinder(method) { tools.answer($0) }
      do throws(WritingFailure) {
        if let own = target.own {
          rows += try ownRows(target.address, own, finder, method)
        } else {
          let keys = try finder.keys(of: target.address, areSecret: false)
          rows += Self.rows(target.address, keys, policy)
        }
      } catch .noProgram(method) {
        missing.append(.noProgram(method))
      } catch {
        throw error.explanation
      }
    }
    if missing.count == ProtectionMethod.allCases.count, let first = missing.first {
      throw first.explanation
    }
    return rows
  }

  /// The keys of another person.
  private static func rows(
    _ address: [UInt8],
    _ keys: [ListedKey],
    _ policy: ProtectionSettings.Uncertified
  ) -> [KeyRow] {
    let choice = KeyChoice.recipient(address, of: keys)
    return keys.map { key in
      var row = KeyRow(address: address, key: key)
      let isChosen = choice.key == key
      if let fault = key.fault(for: .encryption, of: address) {
        row.reason = .fault(fault)
      } else if !key.isCertified(for: address),
        key.method == .sMIME || isChosen && policy == .refuse
      {
        row.reason = .fault(.uncertified)
      } else if isChosen {
        row.uses = [.encryption]
        row.isAsked = !key.isCertified(for: address) && policy == .ask
      } else {
        row.reason = choice.key == nil ? .several : .other
      }
      return row
    }
  }

  /// One's own keys.
  private func ownRows(
    _ address: [UInt8],
    _ settings: ProtectionSettings,
    _ finder: KeyFinder,
    _ method: ProtectionMethod
  ) throws(WritingFailure) -> [KeyRow] {
    let isOfMethod = (settings.method == .openPGP) == (method == .openPGP)
    let named = isOfMethod ? settings.key.flatMap { KeyNumber($0) } : nil
    var keys = try finder.keys(of: address, areSecret: true)
    var choices: [(KeyUse, KeyChoice)] = []
    for use in [KeyUse.signing, .encryption] {
      let choice = try finder.own(address, named: named, for: use)
      if let key = choice.key, !keys.contains(key) { keys.append(key) }
      choices.append((use, choice))
    }
    return keys.map { key in
      var row = KeyRow(address: address, key: key, isOwn: true)
      row.uses = choices.filter { $0.1.key == key }.map(\.0)
      if row.uses.isEmpty {
        let faults = [KeyUse.signing, .encryption].map { key.fault(for: $0, of: address) }
        row.reason =
          faults.contains(nil)
          ? named == nil ? .several : .other
          : faults.compactMap { $0 }.first.map(KeyRow.Reason.fault)
      }
      return row
    }
  }
}
