internal import Octets

/// A search for the servers of an address, as a value: questions out, answers in, and in the end what was found.
///
/// The strongest source wins, whatever the order of the answers. No settings are put together from two sources.
package struct DiscoverySearch: Sendable {
  /// What the search needs of the world around it.
  package struct Tools: Sendable {
    /// The SHA-256 digest of octets.
    let sha256: @Sendable ([UInt8]) -> [UInt8]
    /// The domain that a registry gave out, in which a host lies; nil where the rules for that are not known.
    let registeredDomain: @Sendable (String) -> String?
    /// An international name with A-labels; nil where it is none.
    let asciiForm: @Sendable ([UInt8]) -> [UInt8]?

    package init(
      sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
      registeredDomain: @escaping @Sendable (String) -> String?,
      asciiForm: @escaping @Sendable ([UInt8]) -> [UInt8]?
    ) {
      self.sha256 = sha256
      self.registeredDomain = registeredDomain
      self.asciiForm = asciiForm
    }
  }

  /// Why nothing was found.
  package enum Failure: Error, Hashable, Sendable {
    /// All were asked, and none knows.
    case unknown
    /// All were asked, and the strongest that describes servers names none that can be used.
    case unusable(DiscoverySource, UnusableSource)
    /// No source could be asked.
    case unreachable
    /// Some did not answer in time, and none of the others knows.
    case incomplete

    /// Whether all were asked in vain, so that usual names may be tried.
    package var leavesGuessing: Bool {
      switch self {
      case .unknown, .unusable: true
      case .unreachable, .incomplete: false
      }
    }
  }

  package private(set) var open: [DiscoveryQuestion] = []

  private let address: SoughtAddress
  private let tools: Tools
  private var found: [DiscoverySource: FoundSettings] = [:]
  private var unusable: [DiscoverySource: UnusableSource] = [:]
  private var paccDocument: [UInt8]?
  private var paccRecords: [DNSRecord]?
  private var services: [NamedService: [DNSRecord]] = [:]
  private var wasAnswered = false
  private var wasUnreachable = false

  /// Begins a search: with questions that are open, or with the settings of a provider that is known.
  package init(_ address: SoughtAddress, tools: Tools) {
    self.address = address
    self.tools = tools
    if let provider = KnownProvider.of(domain: address.domain) {
      found[.provider] = provider.settings(of: address, source: .provider)
    } else {
      open = DiscoveryQuestion.first(address)
    }
  }

  /// What was found, if no answer that is still to come can be stronger.
  package var decision: FoundSettings? {
    guard let best else { return nil }
    return open.contains { $0.source < best.source } ? nil : best
  }

  /// Ends the search, whatever is still open.
  ///
  /// - Throws: why there is nothing.
  package func end() throws(Failure) -> FoundSettings {
    if let best { return best }
    guard wasAnswered else { throw .unreachable }
    guard open.isEmpty, !wasUnreachable else { throw .incomplete }
    if let (source, reason) = unusable.min(by: { $0.key < $1.key }) {
      throw .unusable(source, reason)
    }
    throw .unknown
  }

  private var best: FoundSettings? {
    found.min { $0.key < $1.key }?.value
  }

  // MARK: - Answers

  /// Applies an answer to a question that is open.
  ///
  /// - Returns: the questions that come of it, which are open from now on.
  package mutating func applyAnswer(
    _ answer: DiscoveryAnswer,
    to question: DiscoveryQuestion
  ) -> [DiscoveryQuestion] {
    guard let place = open.firstIndex(of: question) else { return [] }
    open.remove(at: place)
    switch answer {
    case .document, .records: wasAnswered = true
    case .noServer: break
    case .unreachable: wasUnreachable = true
    }
    switch question.matter {
    case .document: takeDocument(answer, question.source)
    case .records(_, .mx): return takeMailHosts(answer)
    case .records(_, .txt) where question.source == .namedFile: return takeTexts(answer)
    case .records(_, .txt): takeDigests(answer)
    case .records(let name, .srv): takeServices(answer, name)
    }
    return []
  }

  private mutating func takeDocument(_ answer: DiscoveryAnswer, _ source: DiscoverySource) {
    guard case .document(200, let octets) = answer else { return }
    if source == .pacc {
      paccDocument = octets
      takePACC()
    } else {
      takeFile(octets, source)
    }
  }

  /// A page that is no such file is none: web servers give one for any address.
  private mutating func takeFile(_ octets: [UInt8], _ source: DiscoverySource) {
    do throws(UnusableSource) {
      found[source] = try ClientConfig.settings(
        octets,
        of: address,
        source: source,
        asciiForm: tools.asciiForm
      )
    } catch {
      if error != .notAFile { unusable[source] = error }
    }
  }

  private mutating func takeDigests(_ answer: DiscoveryAnswer) {
    guard case .records(let records) = answer else { return }
    paccRecords = records
    takePACC()
  }

  /// A text that names a file leads to it; where texts name several, none is asked for.
  private mutating func takeTexts(_ answer: DiscoveryAnswer) -> [DiscoveryQuestion] {
    guard case .records(let records) = answer else { return [] }
    var named: [DiscoveryQuestion] = []
    for case .txt(let text) in records {
      if let question = DiscoveryQuestion.named(in: text), !named.contains(question) {
        named.append(question)
      }
    }
    guard named.count == 1 else { return [] }
    open += named
    return named
  }

  private mutating func takePACC() {
    guard let paccDocument, let paccRecords else { return }
    found[.pacc] = PACCDocument.settings(
      paccDocument,
      paccRecords,
      of: address,
      tools
    )
  }

  private mutating func takeServices(_ answer: DiscoveryAnswer, _ name: String) {
    let service = NamedService.allCases.first { name.hasPrefix("\($0.rawValue).") }
    if case .records(let records) = answer, let service { services[service] = records }
    // Only all of them say which is the best.
    guard !open.contains(where: { $0.source == .serviceRecords }) else { return }
    found[.serviceRecords] = ServiceRecords.settings(services, of: address)
  }

  /// The best server for the domain's mail may choose a provider that is known; otherwise its domain is asked about, where a
  /// rule says which that is.
  private mutating func takeMailHosts(_ answer: DiscoveryAnswer) -> [DiscoveryQuestion] {
    guard case .records(let records) = answer, let host = Self.bestMailHost(records) else {
      return []
    }
    if let provider = KnownProvider.of(mailHost: host) {
      found[.mailProvider] = provider.settings(of: address, source: .mailProvider)
      return []
    }
    guard let registered = tools.registeredDomain(host.text),
      registered != tools.registeredDomain(address.domain.text), registered != address.domain.text,
      HostName(registered.utf8) != nil
    else { return [] }
    let more = DiscoveryQuestion.second(mailDomain: registered)
    open += more
    return more
  }

  private static func bestMailHost(_ records: [DNSRecord]) -> HostName? {
    var best: (preference: UInt16, host: HostName)?
    for record in records {
      guard case .mx(let preference, let target) = record, let host = HostName(target) else {
        continue
      }
      if let best, (best.preference, best.host.text) <= (preference, host.text) { continue }
      best = (preference, host)
    }
    return best?.host
  }
}
