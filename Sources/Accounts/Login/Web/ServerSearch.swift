package import Discovery
internal import Octets
package import Platform
internal import Hashing
internal import Transport
internal import Web

/// Looks for the servers of an address: all sources at once, each question on a thread of its own.
package struct ServerSearch: Sendable {
  /// How questions are asked; blocks until there is an answer, and may be called by several threads.
  package typealias Asker = @Sendable (DiscoveryQuestion, Interruption) -> DiscoveryAnswer

  /// The seconds after which the search ends with what was found by then.
  package static let timeLimit = TestTime.search(6)

  private let ask: Asker
  private let tools: DiscoverySearch.Tools

  /// A search by the system's resolver and by curl(1); through a proxy only by the latter, which gets the names.
  ///
  /// - Parameter proxy: what requests go through; nil for what the environment names.
  package init(through proxy: WebProxy = .ofEnvironment) {
    self.init { question, end in Self.ask(question, through: proxy, end) }
  }

  /// A search by other means.
  ///
  /// - Parameters:
  ///   - registeredDomain: as ``DomainNames/registered(_:)``.
  ///   - ask: how questions are asked.
  package init(
    registeredDomain: @escaping @Sendable (String) -> String? = { DomainNames.registered($0) },
    ask: @escaping Asker
  ) {
    self.ask = ask
    tools = DiscoverySearch.Tools(
      sha256: { Hashes.sha256($0) },
      registeredDomain: registeredDomain,
      asciiForm: { InternationalDomain.asciiForm($0) }
    )
  }

  /// The address with its domain as servers know it.
  ///
  /// - Throws: why it is none.
  package static func address(_ text: String) throws(SoughtAddress.Problem) -> SoughtAddress {
    try SoughtAddress(text) { InternationalDomain.asciiForm($0) }
  }

  /// Whether the system's resolver has an address for a host; blocks for some seconds at most.
  package static func exists(_ host: String) -> Bool {
    ByteStream.hasAddress(host, by: .after(seconds: timeLimit))
  }

  private struct State: Sendable {
    var search: DiscoverySearch
    /// Questions that came of answers and are not asked yet.
    var next: [DiscoveryQuestion]
  }

  /// The settings of the strongest source that has some.
  ///
  /// Questions that are open when the time is over, or when no answer can be stronger, are given up.
  ///
  /// - Throws: why there are none.
  package func settings(
    of address: SoughtAddress,
    timeLimit: Double = timeLimit
  ) throws(DiscoverySearch.Failure) -> FoundSettings {
    let search = DiscoverySearch(address, tools: tools)
    let state = Monitor(State(search: search, next: search.open))
    let end = Interruption()
    defer { end.request() }
    let deadline = Deadline.after(seconds: timeLimit)
    while true {
      let isOver = !state.wait(deadline: deadline) { state in
        !state.next.isEmpty || state.search.open.isEmpty || state.search.decision != nil
      }
      let (questions, decision, isDone) = state.withLock { state in
        defer { state.next = [] }
        return (state.next, state.search.decision, state.search.open.isEmpty)
      }
      if let decision { return decision }
      if isOver || isDone { break }
      for question in questions { start(question, state, end) }
    }
    return try state.withLock { (state) throws(DiscoverySearch.Failure) in try state.search.end() }
  }

  private func start(
    _ question: DiscoveryQuestion,
    _ state: Monitor<State>,
    _ end: Interruption
  ) {
    let ask = ask
    let answer = { @Sendable (answer: DiscoveryAnswer) in
      state.update { $0.next += $0.search.applyAnswer(answer, to: question) }
    }
    let thread = try? Thread.spawn(name: "question") { answer(ask(question, end)) }
    if thread == nil { answer(.unreachable) }
  }

  // MARK: - The network

  private static func ask(
    _ question: DiscoveryQuestion,
    through proxy: WebProxy,
    _ end: Interruption
  ) -> DiscoveryAnswer {
    switch question.matter {
    case .document(let address): document(address, proxy, end)
    // The network may not know names of the world outside, and must not learn which are asked for.
    case .records where proxy.isConfigured: .unreachable
    case .records(let name, let type): records(name, type)
    }
  }

  private static func records(_ name: String, _ type: DNSRecordType) -> DiscoveryAnswer {
    guard let octets = DomainNames.ask(name, type: type.rawValue) else { return .unreachable }
    guard !octets.isEmpty else { return .records([]) }
    return DNSAnswer.records(octets, type: type).map { .records($0) } ?? .unreachable
  }

  private static func document(
    _ address: WebAddress,
    _ proxy: WebProxy,
    _ end: Interruption
  ) -> DiscoveryAnswer {
    do throws(WebFailure) {
      let request = WebRequest.get(address, type: "*/*", within: Int(timeLimit))
      let reply = try WebClient.send(request, through: proxy, interruption: end)
      return .document(status: reply.status, reply.body)
    } catch {
      switch error {
      // That is the name of the proxy.
      case .unresolved where proxy.isConfigured: return .unreachable
      case .unresolved: return .noServer
      // What a server has there is no file for us.
      case .tooLong, .untrusted, .insecure: return .document(status: 0, [])
      case .noCurl, .notStarted, .unreachable, .timedOut, .interrupted, .other: return .unreachable
      }
    }
  }
}
