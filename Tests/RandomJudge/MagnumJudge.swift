import Glibc
import Platform

/// A random judge of the engine against a server in memory: random work on both sides, and then: nothing lost, nothing
/// doubled, nothing unsaid.
///
///     magnum-judge [--seeds N] [--first S] [--sets full,bare,...|all] [--machines 1|2] [--without VERB,...]
///                  [--shrink] [--verbose] [--postpone] [--only] [--keep] [--parts] [--one-way] [--twins] [--window]
///                  [--remove] [--labels] [--settings] [--namespace] [--served] [--apart] [--seconds N]
///                  [--jobs N]
///     magnum-judge [--sets ...] --scene FILE...
///
/// With --postpone, runs leave removals to later ones at random, as those of a watch do; with --only, runs are of one mailbox
/// alone at random; with --keep, what the server loses stays on the machines (Keeping); with --parts, accounts have a size
/// limit that is switched (Parts); with --one-way, runs only pull or only push at random (FixedSide); with --twins, there are
/// messages that differ in their bodies alone; with --window, accounts have a window that is switched (Window); with --remove,
/// mailboxes and folders are removed where their other side was; with --labels, the server's mailboxes are labels, as Gmail's
/// are (Labelling); with --settings, what an account is set to changes between runs (Settings); with --namespace, the server
/// keeps all mailboxes below INBOX; with --served, a server on the machine shows the same folders (ServedSteps). A seed decides
/// all that is done. Runs that are to end their process have one of their own, with --apart all have. Seeds are played by as
/// many processes as there are processors, or as --jobs says. `Tests/judge/run` does the same with the real program and real
/// servers; rules, verdicts and scenes are the same.
@main
enum MagnumJudge {
  static func main() {
    // A run that was killed does not read what it is told.
    signal(SIGPIPE, SIG_IGN)
    let options = Options(Array(CommandLine.arguments.dropFirst()))
    settle()
    Mishap.watch()
    let failures =
      options.scenes.isEmpty ? play(options) : withPlayer(options) { play(scenes: options, $0) }
    exit(failures == 0 ? 0 : 1)
  }

  private static func withPlayer<Result>(_ options: Options, _ body: (Player) -> Result) -> Result {
    guard let mail = SharedMail() else { exit(70) }
    let folder = "/dev/shm/magnum-judge.\(getpid())"
    let player = Player(folder, mail, isVerbose: options.isVerbose)
    player.choices = options.choices
    player.ways = options.ways
    player.isApart = options.isApart
    defer { Disk.removeTree(folder) }
    return body(player)
  }

  /// Begins again with what makes runs the same each time: an order of dictionaries, and times that count soon.
  private static func settle() {
    guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    setenv("MAGNUM_FINGERPRINT_AGE", "20", 1)
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &arguments)
  }

  private static func play(_ options: Options) -> Int {
    var failures = 0
    for set in options.sets {
      let begin = Clock.monotonicNanoseconds()
      let counts = WorkerProcesses.run(options.workers) { worker in
        withPlayer(options) { play(options, set, worker, begin, $0) }
      }
      let milliseconds =
        Double(Clock.monotonicNanoseconds() - begin) / 1e6 / Double(max(1, counts.seeds))
      say(
        "\(set): \(counts.seeds) seeds from \(options.first), \(counts.failures) failed, "
          + "\(Int(milliseconds)) ms a seed"
          + (options.ways.isParted ? ", \(counts.partialFiles) partial files" : "")
      )
      failures += counts.failures
    }
    return failures
  }

  /// Plays a worker's share of the seeds.
  private static func play(
    _ options: Options,
    _ set: String,
    _ worker: Int,
    _ begin: Int64,
    _ player: Player
  ) -> SeedCounts {
    var counts = SeedCounts()
    let end = options.first + options.seeds
    for seed in stride(from: options.first + worker, to: end, by: options.workers) {
      if let limit = options.seconds, Clock.monotonicNanoseconds() - begin > limit * 1_000_000_000 {
        break
      }
      counts.seeds += 1
      let (scene, failure) = player.play(seed: seed, set, machines: options.machines)
      guard let failure else { continue }
      counts.failures += 1
      report(scene, failure, options, player)
    }
    counts.partialFiles = player.partialFiles
    return counts
  }

  private static func play(scenes options: Options, _ player: Player) -> Int {
    var failures = 0
    for path in options.scenes {
      guard let octets = Disk.read(path) else {
        say("\(path): cannot be read")
        return 1
      }
      for scene in SceneFile.read(String(decoding: octets, as: UTF8.self)) {
        for set in options.hasSets ? options.sets : [scene.set] {
          var scene = scene
          scene.set = set
          guard let failure = player.play(scene) else { continue }
          failures += 1
          say("\(path):")
          report(scene, failure, options, player)
        }
      }
    }
    say("\(options.scenes.count) scenes, \(failures) failed")
    return failures
  }

  private static func report(
    _ scene: SceneFile,
    _ failure: Failure,
    _ options: Options,
    _ player: Player
  ) {
    // At once: another worker may have something to say too.
    let failed = "FAILED \(scene.title) (\(scene.set), machines \(scene.machines)): \(failure)\n"
    guard options.isShrinking, failure.kind != .harness else { return say(failed + scene.text) }
    guard let (shorter, failure) = Shrinking.shrink(scene, failure.kind, player) else {
      return say(failed + "it does not fail again\n\(scene.text)")
    }
    say(failed + "shrunk: \(failure)\n\(shorter.text)")
  }

  /// What the caller asked for.
  private struct Options {
    var seeds = 100
    var first = 1
    var sets = ["full"]
    var hasSets = false
    var machines: Int?
    var choices = Choices()
    var ways = AccountWays()
    var scenes: [String] = []
    var seconds: Int64?
    var jobs = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    var isShrinking = false
    var isVerbose = false
    var isApart = false

    /// How many processes play at once; a few seeds are played faster than another process begins.
    var workers: Int { isVerbose ? 1 : max(1, min(jobs, seeds / 8)) }

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
        case "--keep": ways.isKeeping = true
        case "--daily": ways.isDaily = true
        case "--parts": ways.isParted = true
        case "--window": ways.isWindowed = true
        case "--labels": ways.isLabelled = true
        case "--settings": choices.isSwitching = true
        case "--namespace": ways.isBelowInbox = true
        case "--served": choices.isServed = true
        case "--apart": isApart = true
        case "--scene":
          scenes = Array(words)
          words = []
        default: take(word, words.popFirst() ?? "")
        }
      }
    }

    private mutating func take(_ word: String, _ value: String) {
      let list = value.split(separator: ",").map(String.init)
      switch word {
      case "--seeds": seeds = Int(value) ?? seeds
      case "--first": first = Int(value) ?? first
      case "--seconds": seconds = Int64(value)
      case "--jobs": jobs = Int(value) ?? jobs
      case "--machines": machines = Int(value)
      case "--without": choices.without = Set(list)
      case "--sets":
        sets = value == "all" ? Abilities.names : list
        hasSets = true
      default:
        say("magnum-judge: what is \(word)?")
        exit(64)
      }
    }
  }
}
