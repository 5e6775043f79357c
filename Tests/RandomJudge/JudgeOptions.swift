import Glibc
import MemoryStore

/// What the caller of the judge asked for.
struct JudgeOptions {
  /// The last seed but one, where there is no other end.
  private static let endless = Int.max / 4

  var seeds: Int?
  var first = 1
  private var sets: [String]?
  var machines: Int?
  var choices = Choices()
  var ways = AccountWays()
  var scenes: [String] = []
  /// For how long each set of capabilities is played.
  var seconds: Int64?
  var jobs = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  var isShrinking = false
  var isVerbose = false
  var isApart = false
  var isReal = false
  /// Whether seeds follow the scenes, a minute in all.
  var isFull = false
  /// Where the output of the runs of failing scenes is kept.
  var output = "/tmp/magnum-judge-kept.\(getpid())"

  init(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--shrink": isShrinking = true
      case "--verbose": isVerbose = true
      case "--postpone": choices.isPostponing = true
      case "--only": choices.isSelecting = true
      case "--one-way": choices.isOneWay = true
      case "--twins": choices.hasTwins = true
      case "--remove": choices.isRemoving = true
      case "--reads": choices.isReading = true
      case "--watch": choices.isWatching = true
      case "--keep": ways.isKeeping = true
      case "--daily": ways.isDaily = true
      case "--parts": ways.isParted = true
      case "--window": ways.isWindowed = true
      case "--labels": ways.isLabelled = true
      case "--settings": choices.isSwitching = true
      case "--namespace": ways.isBelowInbox = true
      case "--served": choices.isServed = true
      case "--apart": isApart = true
      case "--real": isReal = true
      case "--scene":
        scenes = Array(words)
        words = []
      default: take(word, words.popFirst() ?? "")
      }
    }
    check()
  }

  private mutating func take(_ word: String, _ value: String) {
    let list = value.split(separator: ",").map { "\($0)" }
    switch word {
    case "--seeds": seeds = Int(value)
    case "--first": first = Int(value) ?? first
    case "--seconds": seconds = Int64(value)
    case "--jobs": jobs = Int(value) ?? jobs
    case "--machines": machines = Int(value)
    case "--without": choices.without = Set(list)
    case "--sets": sets = list
    case "--output": output = value
    case "--ci":
      isFull = true
      first = Int(value) ?? first
    default: refuse("what is \(word)?")
    }
  }

  private func check() {
    let isInMemoryAlone =
      choices.isPostponing || choices.isReading || ways.isLabelled || ways.isBelowInbox || isApart
    if isReal, isInMemoryAlone {
      refuse("--postpone, --reads, --labels, --namespace and --apart are of servers in memory")
    }
    let isMoving = seedSets.allSatisfy { Abilities.named($0)?.movesAtOnce ?? true }
    if ways.isLabelled, !isMoving { refuse("servers whose mailboxes are labels have MOVE") }
    if choices.isWatching, !isReal { refuse("--watch needs --real") }
  }

  private func refuse(_ words: String) -> Never {
    say("magnum-judge: \(words)")
    exit(64)
  }

  /// The sets of capabilities that seeds are played with.
  var seedSets: [String] {
    let all = isReal ? RealServer.dovecots : Abilities.names
    return sets == ["all"] || isFull ? all : sets ?? ["full"]
  }

  /// The sets that a scene is played with: its own where no other ones are asked for.
  func sets(for scene: SceneFile) -> [String] {
    isFull || sets == nil ? [scene.set] : seedSets
  }

  /// Whether seeds are played.
  var hasSeeds: Bool { scenes.isEmpty || isFull }

  /// How many seeds of each set are played, where time does not end that.
  var seedCount: Int { seeds ?? (secondsOfSet != nil ? Self.endless : isReal ? 10 : 100) }

  /// For how long each set is played; nil where only the number of seeds counts.
  var secondsOfSet: Int64? { seconds ?? (isFull ? 60 / Int64(seedSets.count) : nil) }

  /// How many processes play so many scenes at once; in memory a few are played faster than another process begins.
  func workers(_ count: Int) -> Int {
    isVerbose ? 1 : max(1, min(jobs, isReal ? count : count / 8))
  }
}
