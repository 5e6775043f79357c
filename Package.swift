// swift-tools-version: 6.2
//
// The modules of Magnum and what each may import; .ci/check-imports holds every import against that. ARCHITECTURE.md says what is
// in each, and a README in each folder of Sources what belongs there. A folder imports from itself and from those above it.
//
// The way of the data in a sync, left to right, never back:
//
//   LIST+STATUS --+
//   Maildir scan -+--> snapshots --> SyncPlan --> phases --> executor --> Maildir --> state
//   state (base) -+                   (pure)                   (the only place that mutates)

import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  // Code that needs a type such as `Set<[UInt8]>` calls what makes it, instead of having the Swift runtime find it by its name. For
  // a set or a dictionary, that goes through all conformances in the program then, to find that the elements are hashable: 90,000
  // instructions for each such type, a twelfth of the time of a short search.
  .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"]),
]

/// Optimised in debug builds too, with all assertions: for the few modules with which the tests compute for long.
let fast: [SwiftSetting] = [
  .unsafeFlags(
    ["-O", "-wmo", "-disable-batch-mode", "-num-threads", "2", "-assert-config", "Debug"],
    .when(configuration: .debug)
  )
]

/// The library of regular expressions is not at hand: a single search for a text would bring a megabyte of it into the program.
///
/// `Collection.firstPlace` is for such searches. Foundation is not imported either: .ci/check-pure.
let lean: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
]

/// Small rather than fast in releases: what runs once in a run, or waits for people and servers, is half of the program.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Debug builds have what only tests ask for: places to end a process, and switches of rules.
let faultPoints: [SwiftSetting] = [.define("FAULT_POINTS", .when(configuration: .debug))]

/// Programs export none of their symbols, since they load nothing that asks for any: less for the loader to search, and for
/// the Swift runtime, which looks itself up when it starts.
///
/// Debug builds have Swift's libraries in them, as releases do, which are built with `--static-swift-stdlib`, and their place in
/// memory is settled when they are linked: the tests start programs by the thousand, and half the time of a short run is that of
/// the loader.
let program: [LinkerSetting] = [
  .unsafeFlags(
    ["-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "now"],
    .when(platforms: [.linux])
  ),
  .unsafeFlags(
    ["-static-stdlib", "-Xclang-linker", "-no-pie"],
    .when(platforms: [.linux], configuration: .debug)
  ),
]

/// What each module may import.
///
/// It stands in the folder named above it, which is also its folder in Sources; what is in brackets says how it is built (`Row`).
let moduleTable = """
  Base
    Octets (fast)
    MailModel: Octets
    JSON (fast): Octets
    CPlatform
    Platform (faults): CPlatform Octets
    COpenSSL
    Proxies: Octets
    Transport: COpenSSL CPlatform Octets Platform Proxies
    Terminal: MailModel Octets Platform
    Hashing (fast): COpenSSL
  Mail
    MIME (fast): MailModel Octets
    Protection: MailModel MIME Octets
    Mbox (fast): MailModel MIME Octets
    Invitations: MailModel MIME Octets
    Maildir: MailModel Octets Platform
  Protocols
    IMAP: MailModel Octets
    SMTP: Octets
    SASL: Octets
    Web: Octets
    OAuth: JSON Octets Web
    CExpat
    Discovery: CExpat JSON Octets Web
  Accounts (small)
    CTOMLReader
    Configuration: CTOMLReader MailModel OAuth Octets Platform Proxies Web
    Login: Configuration Discovery Hashing MailModel OAuth Octets Platform Proxies SASL Transport Web
    GnuPG: MIME Octets Platform Protection
    AccountImport: Octets
  Sync
    SyncPlan (fast faults): MailModel Octets
    MirrorCheck: MailModel Octets SyncPlan
    RestorePlan: MailModel Octets SyncPlan
    MessageContent (fast): Hashing MIME Octets Platform SyncPlan
    SyncState: Configuration Hashing Maildir MailModel MessageContent MIME Octets Platform SyncPlan
    MailStore: Configuration Login MailModel MessageContent Octets Platform Proxies SASL SyncPlan Terminal Transport
    IMAPStore (small): Configuration Hashing IMAP Login MailModel MailStore MessageContent Octets Platform Proxies SASL
      SyncPlan SyncState Transport
    Folders (small): Hashing Maildir MailModel MailStore MessageContent Octets Platform SyncPlan SyncState
    Mailboxes (small): Configuration Folders Maildir MailModel MailStore MessageContent MIME Octets Platform SyncPlan
      SyncState
    SyncEngine (small): Configuration Folders Hashing IMAPStore Mailboxes Maildir MailModel MailStore MessageContent MIME
      Octets Platform SyncPlan SyncState Transport
    MailboxActions (small): Configuration Hashing IMAPStore Maildir MailModel MailStore MessageContent MIME Octets Platform
      SyncPlan SyncState Transport
    Verification (small): Configuration Hashing Mailboxes Maildir MailModel MailStore MessageContent MirrorCheck Octets
      Platform SyncEngine SyncPlan SyncState
    Restoration (small): Configuration Hashing IMAPStore MailboxActions Maildir MailModel MailStore MessageContent Octets
      Platform RestorePlan SyncPlan SyncState Transport
    AccountExport (small): Configuration Hashing Maildir MailModel Octets Platform SyncPlan SyncState
  Search
    Query: MailModel Octets
    Threads: MailModel Octets
    CXapian
    SearchIndex: Configuration CXapian Hashing Maildir MailModel MIME Octets Platform Query SyncState Terminal Threads
    Archives: Configuration JSON Maildir MailModel Octets Platform Query SearchIndex Threads
  Send
    Sendmail (small): MIME Octets SMTP
    SpoolPlan: MailModel Octets SMTP
    Spool: Hashing Octets Platform SpoolPlan Transport
    Submission (small): Configuration Hashing Login MailModel MIME Octets Platform Proxies SASL Sendmail SMTP Spool SpoolPlan
      Transport
    Outgoing (small): Configuration Hashing MailboxActions MailModel MailStore MIME Octets Platform Sendmail SMTP Spool
      SpoolPlan Submission Terminal
  People (small)
    Correspondence: Archives Configuration GnuPG Hashing Invitations JSON Maildir MailModel MIME Octets Outgoing Platform Protection Query
      SearchIndex Sendmail SMTP Spool SpoolPlan Submission SyncState Terminal Threads
    Triage: Archives Configuration Correspondence Hashing Maildir MailModel MIME Octets Platform Query SearchIndex SpoolPlan SyncPlan
      SyncState Threads
    AgentPlan: JSON Octets Query
    Agents: AgentPlan Configuration Correspondence Hashing JSON Maildir MailModel MIME Octets Outgoing Platform Protection Query
      SearchIndex Sendmail Spool SpoolPlan Submission SyncState Terminal Threads Triage
    Carriage: Archives Configuration Correspondence Hashing Maildir MailModel MailStore Mbox MessageContent MIME Octets Platform
      Query Restoration RestorePlan SearchIndex SyncPlan SyncState Triage
  Programs (small)
    CommandLine: Configuration MailModel Octets Platform Terminal
    Syncing: CommandLine Configuration Folders Login Maildir MailModel MailStore MIME Octets Outgoing Platform SearchIndex Spool
      SpoolPlan Submission SyncEngine SyncPlan SyncState Terminal Triage
    WatchPlan
    Watch: Configuration IMAPStore Login Maildir MailModel MailStore Octets Outgoing Platform Spool SpoolPlan SyncEngine Syncing
      SyncPlan SyncState Terminal Transport Triage WatchPlan
    magnum (program): AccountExport AccountImport AgentPlan Agents Archives Carriage CommandLine Configuration Correspondence
      Discovery GnuPG IMAP Invitations JSON Login MailboxActions Maildir MailModel MailStore Mbox MIME MirrorCheck OAuth Octets Outgoing
      Platform Protection Proxies Query Restoration RestorePlan SearchIndex Sendmail SMTP Spool SpoolPlan Submission
      SyncEngine Syncing SyncPlan SyncState Terminal Threads Transport Triage Verification Watch Web
  """

/// The tests of modules, laid out alike, with what they import beside their module; (whole): those of several.
///
/// Fixtures are read by path, not bundled. Tests that run the program do not name it: it is built beside them, and they would wait.
let testTable = """
  Base
    Octets (fixtures)
    MailModel
    JSON
    Platform (fixtures): Octets
    Proxies (fixtures): Octets
    Transport (fixtures): Hashing Octets Platform Proxies
    Terminal (fixtures): Platform
  Mail
    MIME (fixtures): MailModel Octets
    Protection (fixtures): MIME Octets
    Mbox (fixtures): MailModel Octets
    Invitations (fixtures): MailModel MIME Octets Platform
    Maildir (fixtures): MailModel Octets Platform SyncPlan
  Protocols
    IMAP (fixtures): MailModel Octets
    SMTP (fixtures): Octets SASL
    SASL (fixtures): Hashing Login Octets
    Web (fixtures): Octets
    OAuth (fixtures): Hashing Octets Web
    Discovery (fixtures): Hashing Web
  Accounts
    Configuration (fixtures): MailModel OAuth Octets Platform Proxies SpoolPlan
    Login: Configuration Discovery Octets Platform Transport Web
    GnuPG (fixtures): MIME Octets Platform Protection
    AccountImport (fixtures): Configuration Platform
  Sync
    SyncPlan (fixtures): MailModel Octets
    MirrorCheck (fixtures): MailModel Octets SyncPlan
    RestorePlan (fixtures): MailModel SyncPlan
    MessageContent (fixtures): Platform SyncPlan
    SyncState: Maildir MailModel MessageContent Octets Platform SyncPlan
    IMAPStore: Configuration IMAP MailModel MailStore Platform SyncPlan SyncState Transport
    Folders (fixtures): Maildir MailModel Platform
    Mailboxes: Configuration Maildir MailModel MailStore Octets Platform SyncPlan SyncState
    SyncEngine (fixtures): Configuration Mailboxes Maildir MailModel MailStore MemoryStore Octets Platform SyncPlan SyncState
    MailboxActions (fixtures): Configuration MailModel MailStore MemoryStore MIME Platform SyncState
    Verification: Configuration MailModel MailStore Platform SyncState Transport
    Restoration: Configuration MailModel MailStore MemoryStore Platform RestorePlan Transport
    AccountExport (fixtures): MailModel
  Search
    Query (fixtures): Octets
    Threads (fixtures): MailModel Octets
    SearchIndex (fixtures): Configuration CXapian Maildir MailModel Octets Platform Query Threads
    Archives: JSON Query
  Send
    Sendmail (fixtures): MIME Octets SMTP
    SpoolPlan (fixtures): MailModel Octets SMTP
    Spool: Octets Platform SMTP SpoolPlan
    Submission: Configuration Login Octets Platform SMTP Spool SpoolPlan
    Outgoing (fixtures): Configuration MailModel MailStore Octets Platform SASL Sendmail SMTP Spool SpoolPlan Submission
      SyncEngine SyncPlan Transport
  People
    Correspondence (fixtures): Configuration JSON MailModel MIME Octets Platform Protection
    Triage (fixtures): Configuration Maildir MailModel Platform SpoolPlan SyncPlan SyncState
    AgentPlan (fixtures): JSON Octets Query
    Agents (whole fixtures): AgentPlan Agents JSON Octets Platform
    Carriage (whole fixtures)
  Programs
    SearchProgram (whole)
    Send (whole): GnuPG MIME Octets Platform Protection Spool SpoolPlan
    CommandLine (fixtures): MailModel Sendmail Terminal
    Syncing (fixtures): Folders SyncEngine
    WatchPlan
    Watch: Configuration Maildir MailModel MailStore MemoryStore Platform SyncEngine Syncing SyncPlan Terminal Transport
      WatchPlan
  """

/// A line of a table: `    NAME (FLAG…): IMPORT…`, below a line that names the folder, with flags of all in it.
struct Row {
  let folder: String
  let name: String
  let flags: Set<Substring>
  let imports: [Substring]

  /// The rows of a table; a line that is indented deeper goes on with the one above it.
  static func all(_ table: String) -> [Row] {
    var (folder, common): (String, Set<Substring>) = ("", [])
    return table.split(separator: "\n").reduce(into: [Substring]()) { lines, line in
      if line.hasPrefix("    ") { lines[lines.count - 1] += line } else { lines.append(line) }
    }.compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let words = parts[0].split { " ()".contains($0) }
      guard line.hasPrefix("  ") else {
        (folder, common) = (String(words[0]), Set(words.dropFirst()))
        return nil
      }
      return Row(
        folder: folder,
        name: String(words[0]),
        flags: common.union(words.dropFirst()),
        imports: parts.dropFirst().flatMap { $0.split(separator: " ") }
      )
    }
  }

  func dependencies(_ more: [String] = []) -> [Target.Dependency] {
    (more + imports.map(String.init)).map { .target(name: $0) }
  }

  var settings: [SwiftSetting] {
    strict + (flags.contains("fast") ? fast : []) + (flags.contains("small") ? small : [])
      + (flags.contains("faults") ? faultPoints : [])
  }

  /// The module of a row.
  var module: Target {
    let path = "Sources/\(folder)/\(name)"
    if flags.contains("program") {
      return .executableTarget(
        name: name,
        dependencies: dependencies(),
        path: path,
        swiftSettings: settings + lean,
        linkerSettings: program
      )
    }
    return .target(
      name: name,
      dependencies: dependencies(),
      path: path,
      cSettings: [.treatAllWarnings(as: .error)],
      cxxSettings: [.treatAllWarnings(as: .error)],
      swiftSettings: settings + lean,
      linkerSettings: name == "CXapian" ? [.linkedLibrary("xapian")] : []
    )
  }

  /// The tests of the module of a row.
  var tests: Target {
    .testTarget(
      name: "\(name)Tests",
      dependencies: dependencies(
        flags.contains("whole") ? ["TestSupport"] : ["TestSupport", name]
      ),
      path: "Tests/\(folder)/\(name)Tests",
      exclude: flags.contains("fixtures") ? ["Fixtures"] : [],
      swiftSettings: settings
    )
  }
}

func words(_ text: String) -> [Target.Dependency] {
  text.split(separator: " ").map { .target(name: String($0)) }
}

/// What tests stand on, and tests of more than a module.
let support: [Target] = [
  .target(
    name: "TestSupport",
    dependencies: ["Platform", "Octets"],
    path: "Tests/TestSupport",
    exclude: [
      "Authority", "BoundServer", "Internet", "Judge", "Preload", "ForwardProxy", "TLSFront",
      "WebScript",
    ],
    // It looks through all mail after each step of a test.
    swiftSettings: strict + fast
  ),
  .target(
    name: "MemoryStore",
    dependencies: words(
      "MIME MailModel MailStore MessageContent Octets Platform SyncPlan Transport"
    ),
    path: "Tests/MemoryStore",
    swiftSettings: strict
  ),
  .executableTarget(
    name: "magnum-scene",
    dependencies: words("Configuration MailStore MemoryStore Platform SyncEngine SyncPlan"),
    path: "Tests/SceneDriver",
    // It is started by the thousand, as the program is.
    swiftSettings: strict,
    linkerSettings: program
  ),
  .executableTarget(
    name: "magnum-judge",
    dependencies: words(
      "CPlatform CommandLine Configuration MIME MailModel MailStore MemoryStore Octets Outgoing "
        + "Platform SyncEngine SyncPlan Terminal TestSupport"
    ),
    path: "Tests/RandomJudge",
    swiftSettings: strict
  ),
  .testTarget(
    name: "EndToEndTests",
    dependencies: ["TestSupport", "Platform", "Octets"],
    path: "Tests/Programs/EndToEndTests",
    exclude: ["README.md"]
      + ["Folders", "OAuth", "Programs", "Pushing", "Records", "Servers", "Triage"].map {
        "\($0)/Fixtures"
      },
    swiftSettings: strict
  ),
  .testTarget(
    name: "FuzzTests",
    dependencies: words(
      "TestSupport AccountImport AgentPlan Archives Discovery IMAP Invitations JSON MIME MailModel Mbox OAuth "
        + "Octets Protection Query SMTP Sendmail SpoolPlan Web"
    ),
    path: "Tests/FuzzTests",
    exclude: ["Seeds"],
    swiftSettings: strict
  ),
]

let package = Package(
  name: "magnum",
  products: [.executable(name: "magnum", targets: ["magnum"])],
  targets: Row.all(moduleTable).map(\.module) + support + Row.all(testTable).map(\.tests)
)
