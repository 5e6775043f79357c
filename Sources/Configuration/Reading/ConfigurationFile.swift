internal import Octets
internal import Platform

/// The configuration file as it lies on the disk.
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
      if let file = try read(place, environment: environment) { return file }
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
  static func read(
    _ place: Path,
    environment: ConfigurationEnvironment
  ) throws(ConfigurationError) -> ConfigurationFile? {
    let found: (octets: [UInt8], status: FileStatus)
    do {
      found = try WholeFile.read(place, limit: lengthLimit)
    } catch {
      guard !error.isNotFound else { return nil }
      let mistake = Mistake(.unreadable(reason: error.reason))
      throw ConfigurationError(file: place, mistake: mistake, environment: environment)
    }
    guard found.octets.count <= lengthLimit else {
      let mistake = Mistake(.tooLong(limit: lengthLimit))
      throw ConfigurationError(file: place, mistake: mistake, environment: environment)
    }
    // Commands in this file are run in the user's name.
    guard found.status.mode & 0o002 == 0 else {
      let mistake = Mistake(
        .writableByAll(mode: found.status.mode),
        remedy: "chmod 600 \(environment.shown(place))"
      )
      throw ConfigurationError(file: place, mistake: mistake, environment: environment)
    }
    return ConfigurationFile(path: place, octets: found.octets, status: found.status)
  }

  /// Refuses a file with a secret in it that others could read or have put there.
  func checkPrivacy(for environment: ConfigurationEnvironment) throws(Mistake) {
    guard let status else { return }
    guard status.owner == environment.user || status.owner == 0 else {
      throw Mistake(.foreignOwner(user: status.owner))
    }
    guard status.mode & FileMode.ofOthers == 0 else {
      throw Mistake(
        .openToOthers(mode: status.mode),
        remedy: "chmod 600 \(environment.shown(path)), or use password-command in its place"
      )
    }
  }
}
