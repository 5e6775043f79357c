internal import AccountImport
internal import MailModel
internal import Configuration
internal import Glibc
internal import Octets
internal import Platform

/// A file of another program that is read for its accounts.
struct ImportSource {
  /// The longest file that is read, in octets.
  private static let limit = 256 << 10

  let file: ForeignFile
  /// Whether only the user can write it, so that what stands in it is the user's own word.
  let isTrusted: Bool

  /// Reads a file.
  ///
  /// - Throws: where it cannot be read, or is no configuration of a program that is known.
  init(_ path: Path) throws(Explanation) {
    let shown = ConfigurationEnvironment.current.shown(path)
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, .read)
      let status = try descriptor.status()
      let octets = try Self.read(descriptor)
      file = ForeignFile(name: shown, octets: octets)
      let isOwn = status.owner == geteuid() && status.mode & 0o022 == 0
      let parent = try FileSystem.status(FileSystem.realPath(path).parent)
      isTrusted = isOwn && !(parent?.isOpenToOthers ?? true)
    } catch {
      throw Explanation(.noInput, place: shown, error.reason)
    }
    guard file.octets.count <= Self.limit else {
      throw Explanation(.data, place: shown, "longer than \(Self.limit) octets")
    }
    guard file.kind != nil else {
      let programs = "mbsync, offlineimap, msmtp, notmuch and goimapnotify"
      throw Explanation(.data, place: shown, "not a configuration that is known: \(programs)")
    }
  }

  private static func read(_ file: borrowing Descriptor) throws(SystemError) -> [UInt8] {
    var octets: [UInt8] = []
    while octets.count <= limit {
      let more = try file.read(atMost: limit + 1 - octets.count)
      if more.isEmpty { break }
      octets += more
    }
    return octets
  }

  /// Those of the usual places that are there.
  static func usual() throws(Explanation) -> [ImportSource] {
    var found: [ImportSource] = []
    for path in usualPlaces where (try? FileSystem.status(path)) ?? nil != nil {
      found.append(try ImportSource(path))
    }
    return found
  }

  private static var usualPlaces: [Path] {
    let home = Environment.homeDirectory
    let config = Environment.configHome
    return [
      home.appending(".mbsyncrc"), config.appending("isyncrc"),
      home.appending(".offlineimaprc"), config.appending("offlineimap").appending("config"),
      home.appending(".msmtprc"), config.appending("msmtp").appending("config"),
      home.appending(".notmuch-config"),
      config.appending("notmuch").appending("default").appending("config"),
    ]
  }
}
