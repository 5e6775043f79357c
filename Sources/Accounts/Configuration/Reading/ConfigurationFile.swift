internal import Octets
internal import Platform

/// The configuration file on disk.
struct ConfigurationFile {
  let path: Path
  let octets: [UInt8]
  /// Owner, mode and identity; nil for a file that is not written yet.
  let status: FileStatus?

  /// The longest file that is read, in octets: 1 MiB.
  static let lengthLimit = 1 << 20

  /// Reads the file the user named, else the first of the well-known ones that is there.
  ///
  /// - Throws: when there is none, or it cannot be read.
  static func find(
    explicit: Path?,
    environment: ConfigurationEnvironment
  ) throws(ConfigurationError) -> ConfigurationFile {
    let places = explicit.map { [$0] } ?? [environment.userFile, environment.systemFile]
    for place in places {
      let file = try read(place, environment: environment, mayBePipe: explicit != nil)
      if let file { return file }
    }
    let mistake = Mistake(
      .noFile(lookedAt: places.map(environment.shown)),
      remedy: "magnum accounts add ADDRESS makes one; magnum-config(5) describes it"
    )
    throw ConfigurationError(file: places[0], mistake: mistake, environment: environment)
  }
}

extension ConfigurationFile {
  /// The file at that place; `nil` when none is there.
  ///
  /// Commands in it are run in the user's name: only the user and root may have written it.
  static func read(
    _ place: Path,
    environment: ConfigurationEnvironment,
    mayBePipe: Bool = false
  ) throws(ConfigurationError) -> ConfigurationFile? {
    var rules = TrustedFile.Rules(limit: lengthLimit)
    (rules.user, rules.mayBePipe) = (environment.user, mayBePipe)
    do throws(TrustedFile.Failure) {
      let found = try TrustedFile.read(place, rules)
      return ConfigurationFile(path: place, octets: found.octets, status: found.status)
    } catch {
      switch error {
      case .system(let error) where error.isNotFound: return nil
      case .system(let error):
        let mistake = Mistake(.unreadable(reason: error.reason, isForbidden: error.isForbidden))
        throw ConfigurationError(file: place, mistake: mistake, environment: environment)
      case .tooLong(let limit):
        let mistake = Mistake(.tooLong(limit: limit))
        throw ConfigurationError(file: place, mistake: mistake, environment: environment)
      case .untrusted(let failure):
        let mistake = Mistake(
          .untrusted(failure),
          remedy: failure.remedy(environment.shown(failure.path))
        )
        throw ConfigurationError(file: failure.path, mistake: mistake, environment: environment)
      }
    }
  }

  /// Why a secret in the file is not to be used: others can read it; `nil` when they cannot.
  var exposure: FileTrust.Failure? {
    guard let status, status.mode & FileMode.ofOthers != 0 else { return nil }
    return FileTrust.Failure(path, .secrecy(status.mode))
  }
}
