internal import Octets
internal import SMTP

/// The way from a name without a domain to addresses, through aliases and the lists that they include.
struct AliasWalk {
  /// How far aliases and lists may lead, and how many names and addresses may stand behind one name.
  private static let (depthLimit, countLimit) = (10, 100_000)

  private let files: [Aliases]
  private let local: LocalNames
  private let readList: AddressBook.ListReader

  private var lists: [[UInt8]: [AliasTarget]] = [:]
  private var count = 0

  init(_ files: [Aliases], _ local: LocalNames, _ readList: @escaping AddressBook.ListReader) {
    (self.files, self.local, self.readList) = (files, local, readList)
  }

  /// The addresses behind a name; `nil` when nothing is known of it, or of a name that it leads to.
  mutating func addresses(behind name: EnvelopeAddress) throws(LetterError) -> [EnvelopeAddress]? {
    try follow(name, [])
  }

  /// Follows a name to which `path` led.
  private mutating func follow(
    _ name: EnvelopeAddress,
    _ path: [[UInt8]]
  ) throws(LetterError) -> [EnvelopeAddress]? {
    let octets = name.octets.map(ASCII.lowercased)
    guard path.count < Self.depthLimit, !path.contains(octets) else {
      throw .aliasLoop(name.octets)
    }
    guard let targets = targets(of: octets) else { return local.address(of: name).map { [$0] } }
    var result: [EnvelopeAddress] = []
    var isLocal = false
    for target in try expanded(targets, []) {
      for address in try read(target) {
        switch try meaning(of: address, target, of: octets, path) {
        case .addresses(let addresses)?: result += addresses
        case .local(let address)?:
          isLocal = true
          if let address { result.append(address) }
        case nil: return nil
        }
      }
    }
    return isLocal && result.isEmpty ? nil : result
  }

  /// What one target of a name stands for.
  private enum Meaning {
    case addresses([EnvelopeAddress])
    /// The local name itself, which is not looked up again; with its address where it has one.
    case local(EnvelopeAddress?)
  }

  /// What a target means; `nil` when nothing is known of it.
  ///
  /// An alias that names itself means the local name.
  private mutating func meaning(
    of address: EnvelopeAddress,
    _ target: AliasTarget,
    of name: [UInt8],
    _ path: [[UInt8]]
  ) throws(LetterError) -> Meaning? {
    count += 1
    guard count <= Self.countLimit else { throw .aliasLoop(name) }
    guard let inner = local.name(in: address) else { return .addresses([address]) }
    if target.isFinal || inner.octets.equalsCaseless(name) {
      return .local(local.address(of: inner))
    }
    return try follow(inner, path + [name]).map { .addresses($0) }
  }

  /// What the first file of aliases that knows the name says of it; of one's own name only one's own file says something.
  private func targets(of name: [UInt8]) -> [AliasTarget]? {
    let searched = local.isNamed(name) ? files.prefix(1) : files[...]
    return searched.lazy.compactMap { $0.targets(of: name) }.first
  }

  /// The addresses and names in a target.
  private func read(_ target: AliasTarget) throws(LetterError) -> [EnvelopeAddress] {
    guard case .text(let text) = target.kind else { return [] }
    do throws(LetterError) {
      return try AddressBook.addresses([UInt8](text.drop { $0 == ASCII.backslash }))
    } catch {
      throw .badAlias(target.place, text)
    }
  }
}

// Lists.
extension AliasWalk {
  /// The targets, with what is in lists in the place of each; `path` are the lists that led here.
  private mutating func expanded(
    _ targets: [AliasTarget],
    _ path: [[UInt8]]
  ) throws(LetterError) -> [AliasTarget] {
    var result: [AliasTarget] = []
    for target in targets {
      switch target.kind {
      case .text: result.append(target)
      case .list(let file): result += try expanded(try list(file, target, path), path + [file])
      }
    }
    return result
  }

  /// The targets in a list that a target names.
  private mutating func list(
    _ file: [UInt8],
    _ target: AliasTarget,
    _ path: [[UInt8]]
  ) throws(LetterError) -> [AliasTarget] {
    do throws(AliasFileProblem) {
      guard path.count < Self.depthLimit, !path.contains(file) else { throw .loop }
      let targets = try content(of: file)
      count += targets.count
      guard count <= Self.countLimit else { throw .loop }
      return targets
    } catch {
      throw .badList(target.place, file, error)
    }
  }

  /// The targets in a list, which is read once.
  private mutating func content(of file: [UInt8]) throws(AliasFileProblem) -> [AliasTarget] {
    if let known = lists[file] { return known }
    let targets = AliasTarget.all(inList: try readList(file), of: file)
    guard !targets.isEmpty else { throw .empty }
    lists[file] = targets
    return targets
  }
}

extension AliasTarget {
  /// Whether the name is not looked up again.
  fileprivate var isFinal: Bool {
    if case .text(let text) = kind { text.first == ASCII.backslash } else { false }
  }
}
