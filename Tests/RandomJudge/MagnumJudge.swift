import Glibc
import Platform

/// A random judge of the engine against a server in memory: random work on both sides, and then: nothing lost, nothing
/// doubled, nothing unsaid.
///
///     magnum-judge [--seeds N] [--first S] [--sets full,bare,...|all] [--machines 1|2] [--without VERB,...]
///                  [--shrink] [--verbose] [--postpone] [--only] [--keep] [--parts] [--one-way] [--twins] [--window]
///                  [--remove] [--labels] [--settings] [--apart] [--seconds N]
///     magnum-judge [--sets ...] --scene FILE...
///
/// With --postpone, runs leave removals to later ones at random, as those of a watch do; with --only, runs are of one
/// mailbox alone at random; with --keep, what the server loses stays on the machines (Keeping); with --parts, accounts have
/// a size limit that is switched (Parts); with --one-way, runs only pull or only push at random (FixedSide); with --twins, there
/// are messages that differ in their bodies alone; with --window, accounts have a window that is switched (Window); with
/// --remove, mailboxes and folders are removed where their other side was; with --labels, the server's mailboxes are labels, as
/// Gmail's are (Labelling); with --settings, mailboxes are left out for a while, or not made, and removals are final (Settings). A seed decides all that is done. Runs that are to end their process have one of their own, with
/// --apart all have. `Tests/judge/run` does the same with the real program and real servers; rules, verdicts and scenes are the
/// same.
@main
enum MagnumJudge {
  static func main() {
    // A run that was killed does not read what it is told.
    signal(SIGPIPE, SIG_IGN)
    let options = Options(Array(CommandLine.arguments.dropFirst()))
    settle()
    Mishap.watch()
    guard let mail = SharedMail() else { exit(70) }
    let folder = "/dev/shm/magnum-judge.\(getpid())"
    let player = Player(folder, mail, isVerbose: options.isVerbose)
    player.choices = options.choices
    player.ways = options.ways
    player.isApart = options.isApart
    let failures = options.scenes.isEmpty ? play(options, player) : play(scenes: options, player)
    Disk.removeTree(folder)
    exit(failures == 0 ? 0 : 1)
  }

  /// Begins again with what makes runs the same each time: an order of dictionaries, and times that count soon.
  private static func settle() {
    guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    setenv("MAGNUM_FINGERPRINT_AGE", "20", 1)
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &arguments)
  }

  private static func play(_ options: Options, _ player: Player) -> Int {
    var all = 0
    for set in options.sets {
      let begin = Clock.monotonicNanoseconds()
      var (count, failures) = (0, 0)
      for seed in options.first..<(options.first + options.seeds) {
        if let limit = options.seconds, Clock.monotonicNanoseconds() - begin > limit * 1_000_000_000
        {
          break
        }
        count += 1
        let (scene, failure) = player.play(
          seed: seed,
          set,
          machines: options.machines
        )
        guard let failure else { continue }
        failures += 1
        report(scene, failure, options, player)
      }
      let milliseconds = Double(Clock.monotonicNanoseconds() - begin) / 1e6 / Double(max(1, count))
      say(
        "\(set): \(count) seeds from \(options.first), \(failures) failed, \(Int(milliseconds)) ms a seed"
          + (options.ways.isParted ? ", \(player.partialFiles) partial files" : "")
      )
      all += failures
    }
    return all
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
    say("FAILED \(scene.title) (\(scene.set), machines \(scene.machines)): \(failure)")
    guard options.isShrinking, failure.kind != .harness else { return say(scene.text) }
    guard let (shorter, failure) = Shrinking.shrink(scene, failure.kind, player) else {
      return say("it does not fail again\n\(scene.text)")
    }
    say("shrunk: \(failure)\n\(shorter.text)")
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
    var isShrinking = false
    var isVerbose = false
    var isApart = false

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
