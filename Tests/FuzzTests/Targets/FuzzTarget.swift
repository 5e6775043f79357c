/// What reads octets of strangers: each takes any, and has to come to an end without a trap.
///
/// The tests give them mutations of what stands in `Seeds.swift` and in the fixtures; `Tests/fuzz/run` has libFuzzer do that, for
/// as long as it is let.
enum FuzzTarget: String, CaseIterable, Sendable {
  case imap, smtp, letters, addresses, arguments, entries, logs, json, oauth, archive, dns, web
  case discovery, xml, imports, mime, query, cms, protection, mbox, mcp, lists, reports, calendar

  /// Reads octets, and checks what has to be so of whatever comes of it.
  func read(_ octets: [UInt8]) {
    switch self {
    case .imap: Self.readIMAP(octets)
    case .smtp: Self.readSMTP(octets)
    case .letters: Self.readLetter(octets)
    case .addresses: Self.readAddresses(octets)
    case .arguments: Self.readArguments(octets)
    case .entries: Self.readEntry(octets)
    case .logs: Self.readLog(octets)
    case .json: Self.readJSON(octets)
    case .oauth: Self.readOAuth(octets)
    case .archive: Self.readArchive(octets)
    case .dns: Self.readDNS(octets)
    case .web: Self.readWeb(octets)
    case .discovery: Self.readDiscovery(octets)
    case .xml: Self.readXML(octets)
    case .imports: Self.readImport(octets)
    case .mime: Self.readMIME(octets)
    case .query: Self.readQuery(octets)
    case .cms: Self.readCMS(octets)
    case .mbox: Self.readMbox(octets)
    case .protection: Self.readProtection(octets)
    case .mcp: Self.readAgentProtocol(octets)
    case .lists: Self.readList(octets)
    case .reports: Self.readReport(octets)
    case .calendar: Self.readCalendar(octets)
    }
  }

  /// The octets cut at every so many, by the first of them.
  static func pieces(_ octets: [UInt8]) -> [ArraySlice<UInt8>] {
    guard let first = octets.first else { return [] }
    let size = 1 + Int(first) % 97
    return stride(from: 1, to: octets.count, by: size).map {
      octets[$0..<min($0 + size, octets.count)]
    }
  }
}
