internal import Octets

/// The accounts of an msmtprc, each with all that holds for it.
struct MsmtpFile {
  /// An account: its own directives, those of the accounts that it inherits from, and the defaults.
  struct Account {
    let head: Directive
    let name: String
    /// The names of the accounts behind the colon.
    let bases: [String]
    var set: DirectiveSet
  }

  private(set) var accounts: [Account] = []
  /// The last account of each name.
  private var places: [String: Int] = [:]
  /// The account that `account default : NAME` names.
  private(set) var standard: (directive: Directive, name: String)?
  private(set) var remarks: [Remark] = []

  init(_ file: ForeignFile) {
    var defaults: [Directive] = []
    var isInDefaults = true
    for (number, line) in file.lines {
      guard let directive = directive(line, number, file) else { continue }
      switch directive.name.lowercased() {
      case "defaults":
        isInDefaults = true
        // A new section of defaults begins from nothing.
        defaults = []
      case "account":
        isInDefaults = false
        open(directive, defaults)
      default:
        if isInDefaults {
          defaults.append(directive)
        } else if !accounts.isEmpty {
          accounts[accounts.count - 1].set.append(directive)
        }
      }
    }
    takeStandard()
  }

  /// A line; the value is all behind the word, with the quotes around it taken away.
  private mutating func directive(
    _ line: ArraySlice<UInt8>,
    _ number: Int,
    _ file: ForeignFile
  ) -> Directive? {
    var rest = line.drop(while: ASCII.isBlank)
    while let last = rest.last, ASCII.isBlank(last) { rest.removeLast() }
    guard let first = rest.first, first != ASCII.hash else { return nil }
    let word = rest.prefix { !ASCII.isBlank($0) }
    var value = rest.dropFirst(word.count).drop(while: ASCII.isBlank)
    if value.count >= 2, value.first == ASCII.quote, value.last == ASCII.quote {
      value = value.dropFirst().dropLast()
    }
    guard let name = ForeignFile.text(word), let text = ForeignFile.text(value) else {
      remarks.append(file.malformed(number, ForeignFile.notText))
      return nil
    }
    return Directive(
      file: file.name,
      line: number,
      name: name,
      arguments: text.isEmpty ? [] : [text]
    )
  }

  private mutating func open(_ head: Directive, _ defaults: [Directive]) {
    let parts = head.value.split(separator: ":", maxSplits: 1).map(Self.trimmed)
    let bases = parts.count > 1 ? parts[1].split(separator: ",").map(Self.trimmed) : []
    // What is said later counts: the defaults, the bases in their order, the account itself.
    let inherited = bases.flatMap { base in places[base].map { accounts[$0].set.rest } ?? [] }
    for base in bases where places[base] == nil {
      remarks.append(Remark(head, .malformed, "no account \(base) above"))
    }
    let name = parts.first ?? ""
    places[name] = accounts.count
    accounts.append(
      Account(
        head: head,
        name: name,
        bases: bases,
        set: DirectiveSet(Self.latest(defaults + inherited))
      )
    )
  }

  /// The last directive of each name: repeated inheritance does not make the list grow.
  ///
  /// What is not known is named where it stands, and not inherited.
  private static func latest(_ directives: [Directive]) -> [Directive] {
    var places: [String: Directive] = [:]
    for directive in directives { places[directive.name.lowercased()] = directive }
    return places.filter { known.contains($0.key) || DirectiveNotes.msmtp.notes[$0.key] != nil }
      .map(\.value).sorted { $0.line < $1.line }
  }

  private static let known: Set = [
    "host", "port", "tls", "tls_starttls", "tls_trust_file", "tls_fingerprint", "tls_certcheck",
    "tls_nocertcheck", "auth", "user", "password", "passwordeval", "from", "from_full_name",
    "protocol", "tls_cert_file", "tls_key_file",
  ]

  private static func trimmed(_ text: Substring) -> String {
    String(
      decoding: text.utf8.drop(while: ASCII.isBlank).reversed().drop(while: ASCII.isBlank)
        .reversed(),
      as: UTF8.self
    )
  }

  /// `account default : work` is another name, no account.
  private mutating func takeStandard() {
    guard let last = accounts.lastIndex(where: { $0.name == "default" }) else { return }
    let account = accounts[last]
    guard let base = account.bases.first, account.bases.count == 1,
      let place = accounts.firstIndex(where: { $0.name == base }), place < last,
      account.set.rest.allSatisfy({ accounts[place].set.rest.contains($0) })
    else { return }
    accounts.remove(at: last)
    standard = (account.head, base)
  }
}
