import Glibc
import Platform

/// A random judge of magnum-sync: random work on both sides, and then: nothing lost, nothing doubled, nothing unsaid.
///
///     magnum-judge [--real] [--seeds N] [--first S] [--seconds N] [--sets full,bare,...|all] [--machines 1|2]
///                  [--without VERB,...] [--shrink] [--verbose] [--jobs N] [--only] [--keep] [--daily] [--parts] [--one-way]
///                  [--twins] [--window] [--remove] [--settings] [--served]
///                  [--postpone] [--reads] [--labels] [--namespace] [--apart]    in memory alone
///                  [--watch] [--output DIR]                           with --real alone
///     magnum-judge [--real] [--sets ...] --scene FILE...
///     magnum-judge --real --ci S --scene FILE...       these scenes, then a minute of seeds from S
///
/// It has the engine run against a server in memory; with --real the program itself, magnum-sync beside it or in MAGNUM_BIN,
/// against a Dovecot of its own that announces what the set says, or the Cyrus or Courier of that name (RealServer).
///
/// With --postpone, runs leave removals to later ones at random, as those of a watch do; with --reads, people work on files
/// also right before a run reads some directory ("| @N step"); with --only, runs are of one mailbox alone at random; with
/// --keep, what the server loses stays on the machines (Keeping); with --daily, accounts fetch a few messages a day; with
/// --parts, they have a size limit that is switched (Parts); with --one-way, runs only pull or only push at random (FixedSide);
/// with --twins, there are messages that differ in their bodies alone; with --window, accounts have a window that is switched
/// (Window); with --remove, mailboxes and folders are removed where their other side was; with --labels, the server's mailboxes
/// are labels, as Gmail's are (Labelling); with --settings, what an account is set to changes between runs (Settings); with
/// --namespace, the server keeps all mailboxes below INBOX; with --served, a server on the machine shows the same folders
/// (ServedSteps); with --watch, a `magnum watch` makes half of the runs between two judgements. A seed decides all that is
/// done, but with --real not the moment at which a signal or another client comes in. Runs in memory that are to end their
/// process have one of their own, with --apart all have. Seeds are played by as many processes as there are processors, or as
/// --jobs says.
///
/// What fails is printed with its steps; with --shrink these are made as few as still fail, as a scene that --scene plays
/// again. With --real what each run printed is kept in DIR. Exit status: 0 all passed, 1 not. The last line says: N passed, N
/// failed.
@main
enum MagnumJudge {
  static func main() {
    // A run that was killed does not read what it is told.
    signal(SIGPIPE, SIG_IGN)
    let options = JudgeOptions(Array(CommandLine.arguments.dropFirst()))
    settle()
    Mishap.watch()
    var counts = SeedCounts()
    if !options.scenes.isEmpty { counts.add(play(scenes: options)) }
    if options.hasSeeds { counts.add(play(options)) }
    say("\(counts.seeds - counts.failures) passed, \(counts.failures) failed")
    exit(counts.failures == 0 ? 0 : 1)
  }

  private static func withPlayer<Result>(
    _ options: JudgeOptions,
    _ body: (Player) -> Result
  ) -> Result {
    guard let mail = SharedMail() else { exit(70) }
    let base = options.isReal ? getenv("TMPDIR").map { String(cString: $0) } : nil
    let folder = "\(base ?? "/dev/shm")/magnum-judge.\(getpid())"
    let stage = options.isReal ? Stage.real : .memory(mail, isApart: options.isApart)
    let player = Player(folder, stage, isVerbose: options.isVerbose)
    player.choices = options.choices
    player.ways = options.ways
    player.kept = options.isReal ? options.output : nil
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

  private static func play(_ options: JudgeOptions) -> SeedCounts {
    var sum = SeedCounts()
    for set in options.seedSets {
      if options.isReal { start(set) }
      let begin = Clock.monotonicNanoseconds()
      let workers = options.workers(options.seedCount)
      let counts = WorkerProcesses.run(workers) { worker in
        withPlayer(options) { play(options, set, (worker, workers), begin, $0) }
      }
      let milliseconds =
        Double(Clock.monotonicNanoseconds() - begin) / 1e6 / Double(max(1, counts.seeds))
      say(
        "\(set): \(counts.seeds) seeds from \(options.first), \(counts.failures) failed, "
          + "\(Int(milliseconds)) ms a seed"
          + (options.ways.isParted ? ", \(counts.partialFiles) partial files" : "")
      )
      sum.add(counts)
    }
    return sum
  }

  /// Starts a server that all workers use.
  private static func start(_ set: String) {
    do {
      _ = try RealServer.named(set)
    } catch {
      say("magnum-judge: \(error)")
      exit(70)
    }
  }

  /// Plays a worker's share of the seeds.
  private static func play(
    _ options: JudgeOptions,
    _ set: String,
    _ worker: (number: Int, count: Int),
    _ begin: Int64,
    _ player: Player
  ) -> SeedCounts {
    var counts = SeedCounts()
    let end = options.first + options.seedCount
    for seed in stride(from: options.first + worker.number, to: end, by: worker.count) {
      let time = Clock.monotonicNanoseconds() - begin
      if let limit = options.secondsOfSet, time > limit * 1_000_000_000 { break }
      counts.seeds += 1
      let (scene, failure) = player.play(seed: seed, set, machines: options.machines)
      guard let failure else { continue }
      counts.failures += 1
      report(scene, failure, options, player)
    }
    counts.partialFiles = player.partialFiles
    return counts
  }

  private static func play(scenes options: JudgeOptions) -> SeedCounts {
    let scenes = options.scenes.flatMap { read($0, options) }
    if options.isReal { Set(scenes.map(\.scene.set)).sorted().forEach(start) }
    let workers = options.workers(scenes.count)
    let counts = WorkerProcesses.run(workers) { worker in
      withPlayer(options) { player in
        var counts = SeedCounts()
        for number in stride(from: worker, to: scenes.count, by: workers) {
          let (path, scene) = scenes[number]
          counts.seeds += 1
          guard let failure = player.play(scene) else { continue }
          counts.failures += 1
          say("\(path):")
          report(scene, failure, options, player)
        }
        return counts
      }
    }
    say("\(options.scenes.count) scenes, \(counts.failures) failed")
    return counts
  }

  /// The scenes of a file, each with all sets that it is played with.
  private static func read(
    _ path: String,
    _ options: JudgeOptions
  ) -> [(path: String, scene: SceneFile)] {
    guard let octets = Disk.read(path) else {
      say("\(path): cannot be read")
      exit(66)
    }
    let scenes = SceneFile.read(String(decoding: octets, as: UTF8.self))
    let file = path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? path
    return scenes.enumerated().flatMap { number, scene in
      options.sets(for: scene).map { set in
        var scene = scene
        scene.set = set
        scene.name = "\(set) \(file)" + (scenes.count > 1 ? " \(number + 1)" : "")
        return (path, scene)
      }
    }
  }

  private static func report(
    _ scene: SceneFile,
    _ failure: Failure,
    _ options: JudgeOptions,
    _ player: Player
  ) {
    let place = player.place(scene)
    // At once: another worker may have something to say too.
    let failed =
      "FAILED \(scene.title) (\(scene.set), machines \(scene.machines)): \(failure)\n"
      + (place.map { "output of each run: \($0)\n" } ?? "")
    if let place { try? Disk.write(Array(scene.text.utf8), to: "\(place)/scene.txt") }
    guard options.isShrinking, failure.kind != .harness else { return say(failed + scene.text) }
    // What was printed first is kept.
    player.kept = nil
    defer { player.kept = options.isReal ? options.output : nil }
    guard let (shorter, failure) = Shrinking.shrink(scene, failure.kind, player) else {
      return say(failed + "it does not fail again\n\(scene.text)")
    }
    if let place { try? Disk.write(Array(shorter.text.utf8), to: "\(place)/short.txt") }
    say(failed + "shrunk: \(failure)\n\(shorter.text)")
  }
}
