// swift-tools-version: 6.2
//
// The modules of Magnum and what each may import; .ci/check-imports holds every import against that. Imports point
// downward only. ARCHITECTURE.md says what is in each module.
//
//   programs   magnum, which is also called magnum-sync, magnum-send and magnum-search:
//              SyncProgram   SendProgram   SearchProgram     thin: options -> engine -> render -> exit status
//              -----------------------------------------------------------------------------------------
//   features   Watch                                         when accounts are synced by a program that stays
//              Syncing                                       what goes on beside a sync, and how it is shown
//              Triage                                        what people do to messages that they have
//              Correspondence                                what people write, answer and pass on
//              Verification                                  whether a mirror is what its server has
//              Restoration                                   Maildirs uploaded to a server
//              -----------------------------------------------------------------------------------------
//              Outgoing                                      what the engines do together for mail that goes out
//   engines    SyncEngine                                    one run: schedule, executor
//              Attachments                                   attachments of partial messages, each alone
//              Downloads                                     messages that are fetched: files, durable, recorded
//              Mailboxes                                     mailboxes as both sides show them: opened, read for the plan
//              SyncEvents                                    what happens in a run, and what it came to
//              Folders                                       mailboxes and folders as wholes: made, renamed, removed
//              MailboxActions                                what the spool asks of a mailbox: append, change, move, remove
//              MailStore <- IMAPStore   SyncState            what a server is asked; IMAP; what is recorded on disk
//              MessageContent                                what octets of a message tell
//              Submission                                    connections to send over, one run over a spool
//              AccountExport                                 what is recorded, as another program's state
//              SearchIndex                                   documents, threads and results; the user of CXapian
//              Archives                                      searches over other machines
//              TextExtraction                                text of attachments, by programs of other people
//              -----------------------------------------------------------------------------------------
//   I/O        Login    Spool    Adoption    HTTP    ServerSearch
//              Transport    Maildir    Configuration    CommandLine    Terminal
//              Platform     COpenSSL   CPlatform   CXapian
//              =========================================================================================
//   pure       IMAP   SMTP   SASL   MIME   HTMLText   SyncPlan   SpoolPlan   WatchPlan   Sendmail   Threads   Query   AccountImport   MirrorCheck   RestorePlan   TextFilters   ArchiveProtocol   JSON   XML (CExpat)   Web   OAuth   Discovery   MailModel   Octets
//                                                            no file, socket, clock or thread below the line
//
// The way of the data, left to right, never back:
//
//   LIST+STATUS --+
//   Maildir scan -+--> snapshots --> SyncPlan --> phases --> executor --> Maildir --> state
//   state (base) -+                   (pure)                   (the only place that mutates)
//
// The pure modules import neither Foundation, Glibc nor Dispatch; CI checks that too.

import PackageDescription

/// Code that needs a type such as `Set<[UInt8]>` calls what makes it, instead of having the Swift runtime find it by its name.
///
/// For a set or a dictionary, the runtime goes through all conformances in the program then, to find that the elements are
/// hashable: 90,000 instructions for each such type, a twelfth of the time of a short search.
let typesByCall = SwiftSetting.unsafeFlags(
  ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"]
)

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  typesByCall,
]

/// Optimised in debug builds too, with all assertions: for what the tests have compute for long.
///
/// As a whole, which takes the compiler two thirds of the time that the files take it one by one.
let fast: [SwiftSetting] = [
  .unsafeFlags(
    ["-O", "-wmo", "-disable-batch-mode", "-num-threads", "2", "-assert-config", "Debug"],
    .when(configuration: .debug)
  )
]

/// Debug builds have what only tests ask for: places to end a process, and switches of rules.
let faultPoints: [SwiftSetting] = [.define("FAULT_POINTS", .when(configuration: .debug))]

/// Programs export none of their symbols, since they load nothing that asks for any: less for the loader to search, and for
/// the Swift runtime, which looks itself up when it starts.
///
/// Debug builds have Swift's libraries in them, as releases do, which are built with `--static-swift-stdlib`, and their place in
/// memory is settled when they are linked: the tests start programs by the thousand, and half the time of a short run is that of
/// the loader. The two libraries named are what FoundationEssentials needs then.
let program: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux])),
  .unsafeFlags(
    [
      "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections", "-Xclang-linker",
      "-no-pie",
    ],
    .when(platforms: [.linux], configuration: .debug)
  ),
]

/// A Swift module with the settings that all share.
func module(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  more: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + more)
}

/// The tests of one module; fixtures, where it has any, are read by path, not bundled.
///
/// Tests that run programs name none of them: all are built beside the tests, which would be compiled after them.
func tests(
  of name: String,
  _ dependencies: [Target.Dependency] = [],
  hasFixtures: Bool = true,
  more: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name), "TestSupport"] + dependencies,
    exclude: hasFixtures ? ["Fixtures"] : [],
    swiftSettings: strict + more
  )
}

let package = Package(
  name: "magnum",
  products: [
    .executable(name: "magnum", targets: ["magnum"])
  ],
  dependencies: [
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0")
  ],
  targets: [
    // Pure.
    module("Octets", more: fast),
    module("MailModel", ["Octets"], more: fast),
    module("IMAP", ["MailModel", "Octets"], more: fast),
    module("SMTP", ["Octets"], more: fast),
    module("SASL", ["Octets"]),
    module("HTMLText", ["Octets"], more: fast),
    module("MIME", ["HTMLText", "MailModel", "Octets"], more: fast),
    module("SyncPlan", ["MailModel", "Octets"], more: fast + faultPoints),
    module("SpoolPlan", ["MailModel", "SMTP", "Octets"]),
    module("WatchPlan"),
    module("Sendmail", ["SMTP", "MIME", "Octets"], more: fast),
    module("Threads", ["MailModel", "Octets"]),
    module("Query", ["MailModel", "Octets"]),
    module("AccountImport", ["Octets"]),
    module("TextFilters", ["Octets"]),
    module("ArchiveProtocol", ["JSON", "Query", "Octets"]),
    module("JSON", ["Octets"], more: fast),
    module("Web", ["Octets"]),
    module("OAuth", ["JSON", "Web", "Octets"]),
    .target(name: "CExpat", cSettings: [.treatAllWarnings(as: .error)]),
    module("XML", ["CExpat", "Octets"]),
    module("Discovery", ["JSON", "Web", "XML", "Octets"]),
    module("MirrorCheck", ["SyncPlan", "MailModel", "Octets"]),
    module("RestorePlan", ["SyncPlan", "MailModel", "Octets"]),

    // I/O.
    .target(name: "COpenSSL", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "CPlatform", cSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "CXapian",
      cxxSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("xapian")]
    ),
    .target(
      name: "Platform",
      dependencies: ["CPlatform", "Octets"],
      swiftSettings: strict + faultPoints
    ),
    module("Transport", ["COpenSSL", "Platform", "Octets"], more: fast),
    module("Maildir", ["MailModel", "Platform", "Octets"], more: fast),
    module(
      "Configuration",
      [
        "OAuth", "Web", "TextFilters", "MailModel", "Platform", "Octets",
        .product(name: "TOMLKit", package: "TOMLKit"),
      ]
    ),
    module("Terminal", ["MailModel", "Platform", "Octets"]),
    module("CommandLine", ["Configuration", "Terminal", "Platform", "Octets"]),

    module("HTTP", ["Web", "Octets", "Platform"]),
    module(
      "Login",
      [
        "HTTP", "OAuth", "Web", "SASL", "MailModel", "Octets", "Platform", "Transport",
        "Configuration",
      ]
    ),
    module("ServerSearch", ["Discovery", "HTTP", "Web", "Octets", "Platform", "Transport"]),
    module("Adoption", ["MailModel", "Octets", "Platform"]),
    module(
      "MessageContent",
      ["SyncPlan", "MIME", "Octets", "Platform", "Transport", "Maildir"],
      more: fast
    ),
    module("Spool", ["SpoolPlan", "SMTP", "Octets", "Platform", "Transport"]),

    // Engines.
    module(
      "SearchIndex",
      [
        "CXapian", "HTMLText", "MailModel", "MIME", "Query", "Threads", "SyncState", "Maildir",
        "Configuration", "CommandLine", "Terminal", "Platform", "Octets",
      ]
    ),
    module(
      "Archives",
      [
        "SearchIndex", "ArchiveProtocol", "JSON", "Query", "Threads", "Maildir", "Configuration",
        "CommandLine", "Platform", "Octets",
      ]
    ),
    module(
      "TextExtraction",
      [
        "SearchIndex", "TextFilters", "MIME", "Transport", "Configuration", "CommandLine",
        "Platform", "Octets",
      ]
    ),
    module(
      "SyncState",
      [
        "SyncPlan", "MIME", "MailModel", "MessageContent", "Maildir", "Transport", "Configuration",
        "Platform", "Octets",
      ],
      more: fast
    ),
    module(
      "AccountExport",
      [
        "SyncState", "SyncPlan", "MailModel", "Maildir", "Transport", "Configuration", "Platform",
        "Octets",
      ]
    ),
    module(
      "MailStore",
      [
        "SASL", "SyncPlan", "MailModel", "MessageContent", "Platform", "Transport",
        "Configuration",
      ]
    ),
    module(
      "IMAPStore",
      [
        "MailStore", "SyncState", "IMAP", "SASL", "SyncPlan", "MailModel", "MessageContent",
        "Octets", "Platform",
        "Transport", "Configuration", "Login",
      ]
    ),
    module(
      "MailboxActions",
      [
        "MailStore", "IMAPStore", "SyncState", "SyncPlan", "MIME", "MailModel", "MessageContent",
        "Maildir", "Transport", "Configuration", "Platform", "Octets",
      ]
    ),
    module(
      "Folders",
      [
        "Adoption", "MailStore", "SyncState", "SyncPlan", "MailModel", "MessageContent", "Maildir",
        "Transport", "Platform", "Octets",
      ]
    ),
    module(
      "SyncEvents",
      ["Folders", "MailStore", "SyncPlan", "MailModel", "Maildir", "Platform"]
    ),
    module(
      "Mailboxes",
      [
        "Folders", "Adoption", "MailStore", "SyncState", "SyncPlan", "MIME", "MailModel",
        "MessageContent", "Maildir", "Configuration", "Platform", "Octets",
      ]
    ),
    module(
      "Downloads",
      [
        "Mailboxes", "SyncEvents", "MailStore", "SyncState", "SyncPlan", "MIME", "MailModel",
        "MessageContent", "Maildir", "Octets", "Platform",
      ]
    ),
    module(
      "SyncEngine",
      [
        "Downloads", "Mailboxes",
        "SyncEvents", "Folders", "MailStore", "IMAPStore", "SyncState", "SyncPlan",
        "MIME", "MailModel",
        "MessageContent", "Octets",
        "Platform",
        "Transport", "Maildir", "Configuration", "Login",
      ]
    ),

    module(
      "Attachments",
      [
        "MailStore", "IMAPStore", "SyncState", "SyncPlan", "MIME", "MailModel", "MessageContent",
        "Maildir", "Transport", "Configuration", "Platform", "Octets",
      ]
    ),

    module(
      "Submission",
      [
        "Sendmail", "MIME", "SMTP", "SASL", "SpoolPlan", "MailModel", "Octets", "Platform",
        "Transport", "Configuration", "Login", "Spool",
      ]
    ),

    module(
      "Outgoing",
      [
        "Submission", "SyncEvents", "MailboxActions", "MailStore", "SyncPlan", "Login", "Spool",
        "SpoolPlan", "MailModel",
        "Sendmail", "SMTP", "MIME", "SASL",
        "Transport", "Configuration", "CommandLine", "Terminal", "Platform", "Octets",
      ]
    ),

    module(
      "Correspondence",
      [
        "Archives", "Outgoing", "Submission", "SearchIndex", "Spool", "SpoolPlan", "SyncState",
        "JSON", "Query", "MailModel", "MIME", "Sendmail", "SMTP", "Threads", "Maildir",
        "Configuration", "CommandLine", "Terminal",
        "Platform", "Octets",
      ]
    ),

    module(
      "Triage",
      [
        "Archives",
        "Correspondence", "SearchIndex", "Query", "SpoolPlan", "SyncPlan", "SyncState", "MIME",
        "Threads", "MailModel", "Maildir", "Configuration", "CommandLine", "Platform", "Octets",
      ]
    ),

    module(
      "Syncing",
      [
        "TextExtraction", "TextFilters",
        "Triage", "Outgoing", "SyncEngine", "SyncEvents", "MailStore", "SyncPlan", "SearchIndex",
        "Submission",
        "Spool", "SpoolPlan", "MIME", "MailModel", "Folders", "Login", "SyncState", "Maildir",
        "Configuration", "CommandLine", "Terminal", "Platform", "Octets",
      ]
    ),

    module(
      "Verification",
      [
        "SyncEngine", "Mailboxes", "MailStore", "MirrorCheck", "SyncState", "SyncPlan",
        "MailModel", "MessageContent", "Maildir", "Transport", "Configuration", "Platform",
        "Octets",
      ]
    ),

    module(
      "Restoration",
      [
        "MailboxActions", "MailStore", "IMAPStore", "RestorePlan", "SyncState", "SyncPlan",
        "MailModel", "MessageContent", "Adoption", "Maildir", "Transport", "Configuration",
        "Platform", "Octets",
      ]
    ),

    module(
      "Watch",
      [
        "Syncing", "Triage", "Outgoing", "SyncEngine", "SyncEvents", "IMAPStore", "MailStore",
        "TextFilters", "Login", "SyncState",
        "SyncPlan", "WatchPlan", "Spool", "SpoolPlan", "MailModel", "Maildir", "Transport",
        "Configuration", "CommandLine", "Terminal", "Platform", "Octets",
      ]
    ),

    // Programs: one file, called by four names.
    module(
      "SyncProgram",
      [
        "Watch", "Syncing", "MailModel", "Outgoing", "SyncEngine", "SyncEvents", "MailStore",
        "SyncPlan", "Configuration", "CommandLine", "Terminal", "Platform", "Octets",
      ]
    ),
    module(
      "SendProgram",
      [
        "Outgoing", "Submission", "Sendmail", "Spool", "SpoolPlan", "SyncState", "SMTP", "MIME",
        "Transport", "Configuration", "CommandLine", "Terminal", "Platform", "Octets",
      ]
    ),
    module(
      "SearchProgram",
      [
        "Archives", "ArchiveProtocol", "SearchIndex", "Query", "Threads", "Maildir",
        "Configuration", "CommandLine", "Terminal", "Platform", "Octets",
      ]
    ),
    .executableTarget(
      name: "magnum",
      dependencies: [
        "SyncProgram", "SendProgram", "SearchProgram",
        "AccountExport", "AccountImport", "Attachments", "Discovery", "ServerSearch", "Login",
        "Verification",
        "MirrorCheck", "Restoration",
        "RestorePlan", "Watch",
        "Syncing", "Triage", "Correspondence", "MailModel", "JSON", "OAuth", "Web",
        "Archives", "SearchIndex", "TextExtraction", "TextFilters", "Query", "Threads", "MIME",
        "Maildir", "Transport",
        "Outgoing", "Submission",
        "SyncEngine", "SyncEvents", "SyncState", "MailStore", "SyncPlan", "Spool", "SpoolPlan",
        "Sendmail", "IMAP", "SMTP",
        "Configuration",
        "CommandLine", "Terminal", "Platform", "Octets",
      ],
      swiftSettings: strict,
      linkerSettings: program
    ),

    // Tests.
    .target(
      name: "TestSupport",
      dependencies: ["Platform", "Octets"],
      path: "Tests/TestSupport",
      exclude: ["Authority", "BoundServer", "Internet", "Judge", "Preload"],
      // It looks through all mail after each step of a test.
      swiftSettings: strict + fast
    ),
    .target(
      name: "MemoryStore",
      dependencies: [
        "MailStore", "MIME", "SyncPlan", "MailModel", "MessageContent", "Platform", "Octets",
        "Transport",
      ],
      path: "Tests/MemoryStore",
      swiftSettings: strict + fast
    ),
    .executableTarget(
      name: "magnum-scene",
      dependencies: [
        "MemoryStore", "MailStore", "SyncEngine", "SyncEvents", "SyncPlan", "Configuration",
        "Platform",
      ],
      path: "Tests/SceneDriver",
      // It is started by the thousand, as the programs are.
      swiftSettings: strict,
      linkerSettings: program
    ),
    .executableTarget(
      name: "magnum-judge",
      dependencies: [
        "CPlatform", "MIME", "MemoryStore", "MailStore", "SyncEngine", "SyncEvents", "SyncPlan",
        "Outgoing",
        "CommandLine",
        "Configuration", "MailModel", "Platform", "Octets", "Terminal", "TestSupport",
      ],
      path: "Tests/RandomJudge",
      swiftSettings: strict
    ),
    tests(of: "Octets"),
    tests(of: "IMAP", ["MailModel", "Octets"]),
    tests(of: "SMTP", ["Octets", "SASL"]),
    tests(of: "SASL", ["Octets", "Login", "Transport"]),
    tests(of: "MIME", ["HTMLText", "MailModel", "Octets"], more: fast),
    tests(of: "SyncPlan", ["MailModel", "Octets"], more: fast),
    tests(of: "SpoolPlan", ["MailModel", "SMTP", "Octets"]),
    tests(of: "MirrorCheck", ["SyncPlan", "MailModel", "Octets"]),
    tests(of: "RestorePlan", ["SyncPlan", "MailModel", "Octets"]),
    tests(of: "WatchPlan", hasFixtures: false),
    tests(of: "Sendmail", ["SMTP", "MIME", "Octets"]),
    tests(of: "Threads", ["MailModel", "Octets"]),
    tests(of: "Query", ["Octets"]),
    tests(of: "AccountImport", ["Configuration", "Platform", "Octets"]),
    tests(of: "ArchiveProtocol", ["JSON", "Query", "Octets"], hasFixtures: false),
    tests(of: "TextFilters", ["Octets"], hasFixtures: false),
    tests(of: "JSON", hasFixtures: false),
    tests(of: "Web", ["Octets"]),
    tests(of: "OAuth", ["Web", "Transport", "Octets"]),
    tests(of: "XML", ["Octets"], hasFixtures: false),
    tests(of: "Discovery", ["Transport", "Web", "Octets"]),
    tests(of: "ServerSearch", ["Discovery", "Platform", "Octets"], hasFixtures: false),
    tests(of: "Platform", ["Octets"]),
    tests(of: "Transport", ["Octets", "Platform"]),
    tests(of: "Maildir", ["MailModel", "Platform", "Octets"]),
    tests(
      of: "Configuration",
      ["OAuth", "TextFilters", "MailModel", "SpoolPlan", "Platform", "Octets"]
    ),
    tests(of: "Terminal", ["Platform", "Octets"]),
    tests(of: "Spool", ["SpoolPlan", "SMTP", "Platform", "Octets"], hasFixtures: false),
    tests(
      of: "SearchIndex",
      ["MailModel", "CXapian", "Query", "Threads", "Maildir", "Platform", "Octets"]
    ),
    tests(
      of: "TextExtraction",
      ["SearchIndex", "TextFilters", "Query", "Configuration", "Platform", "Octets"],
      hasFixtures: false
    ),
    tests(
      of: "SyncState",
      ["SyncPlan", "MailModel", "MessageContent", "Platform", "Octets", "Maildir"],
      hasFixtures: false
    ),
    tests(
      of: "IMAPStore",
      [
        "MailStore", "SyncState", "SyncPlan", "IMAP", "Transport", "MailModel", "Platform",
        "Octets",
      ],
      hasFixtures: false
    ),
    tests(
      of: "MailboxActions",
      [
        "MemoryStore", "MailStore", "SyncState", "SyncPlan", "MailModel", "Configuration",
        "Platform",
        "Octets",
      ],
      hasFixtures: false
    ),
    tests(of: "Adoption", ["MailModel", "SyncPlan"], hasFixtures: false),
    tests(
      of: "Mailboxes",
      [
        "MailStore", "SyncState", "SyncPlan", "Configuration", "MailModel", "Maildir", "Octets",
        "Platform",
      ],
      hasFixtures: false
    ),
    tests(
      of: "SyncEngine",
      [
        "Mailboxes",
        "MemoryStore", "SyncEvents", "MailStore", "SyncState",
        "SyncPlan",
        "MailModel",
        "Platform",
        "Octets", "Maildir", "Configuration",
      ]
    ),
    tests(
      of: "Submission",
      ["Login", "Spool", "SpoolPlan", "SMTP", "Configuration", "Platform", "Octets"],
      hasFixtures: false
    ),
    tests(
      of: "Outgoing",
      [
        "SyncEngine", "MailStore", "SyncPlan", "MailModel", "SASL", "Transport",
        "Submission", "Spool", "SpoolPlan", "Sendmail", "SMTP", "Configuration", "CommandLine",
        "Platform", "Octets",
      ]
    ),
    tests(
      of: "Triage",
      ["CommandLine", "Configuration", "MailModel", "Maildir", "Platform", "Octets"],
      hasFixtures: false
    ),
    tests(
      of: "Watch",
      [
        "Syncing", "SyncEngine", "SyncEvents", "SyncPlan", "MemoryStore", "MailStore", "WatchPlan",
        "Maildir", "MailModel", "Transport", "Configuration", "CommandLine", "Terminal", "Platform",
      ],
      hasFixtures: false
    ),
    tests(
      of: "Restoration",
      [
        "MemoryStore", "MailStore", "RestorePlan", "SyncPlan", "MailModel", "Configuration",
        "SyncState", "Transport", "Platform", "Octets",
      ],
      hasFixtures: false
    ),
    tests(of: "Correspondence", ["JSON", "MIME", "Platform", "Octets"]),
    .testTarget(
      name: "SendTests",
      dependencies: ["TestSupport", "Spool", "SpoolPlan", "Platform"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "TestSupport", "AccountImport", "ArchiveProtocol", "Discovery", "IMAP", "JSON", "MIME",
        "MailModel", "OAuth", "Octets", "Query", "SMTP", "Sendmail", "SpoolPlan", "Web", "XML",
      ],
      exclude: ["Seeds"],
      swiftSettings: strict + fast
    ),
    tests(of: "CommandLine", ["Sendmail", "Terminal"]),
    .testTarget(
      name: "SearchProgramTests",
      dependencies: ["TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["TestSupport", "Platform", "Octets"],
      exclude: [
        "README.md", "Folders/Fixtures", "Programs/Fixtures", "Pushing/Fixtures",
        "Records/Fixtures", "Servers/Fixtures",
      ],
      swiftSettings: strict
    ),
  ]
)
