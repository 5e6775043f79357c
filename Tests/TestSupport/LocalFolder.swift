import Octets
import Platform

/// One Maildir under the hands of a mail client: files are numbered in the order of their base names.
package struct LocalFolder {
  private let root: String
  private let path: String

  /// The folder of that name below an account's root.
  package init(_ root: String, _ name: String) {
    self.root = root
    path = "\(root)/\(name)"
  }

  /// The base names, sorted.
  package var bases: [String] { files.map(\.base) }

  /// The flags of a file.
  package func flags(_ index: Int) -> String {
    let name = files[index].name
    return name.firstRange(of: ":2,").map { String(name[$0.upperBound...]) } ?? ""
  }

  /// What a file holds.
  package func content(_ index: Int) throws -> [UInt8] {
    guard let octets = Files.read(files[index].path) else {
      throw HarnessError("\(files[index].path): not there")
    }
    return octets
  }

  /// Renames a file as a client does that sets flags.
  package func setFlags(_ letters: String, of index: Int) throws {
    let file = files[index]
    try Command.shell("mv \"$1\" \"$2\"", [file.path, "\(path)/cur/\(file.base):2,\(letters)"])
  }

  /// Unlinks a file.
  package func remove(_ index: Int) throws {
    try Command.shell("rm \"$1\"", [files[index].path])
  }

  /// Moves a file to another folder of the account under its own name; gives its base name.
  @discardableResult
  package func move(_ index: Int, to folder: String, flags: String = "S") throws -> String {
    let file = files[index]
    let target = "\(root)/\(folder)/cur/\(file.base):2,\(flags)"
    try Command.shell("mv \"$1\" \"$2\"", [file.path, target])
    return file.base
  }

  /// Makes the folder where there is none.
  package func make() throws {
    for name in ["tmp", "new", "cur"] { try Files.makeDirectories("\(path)/\(name)") }
  }

  /// Writes a new file.
  package func add(_ base: String, _ octets: [UInt8], flags: String) throws {
    try make()
    try Files.write(
      octets.filter { $0 != ASCII.carriageReturn },
      to: "\(path)/cur/\(base):2,\(flags)"
    )
  }

  /// Writes a file anew in its place.
  package func write(_ index: Int, _ octets: [UInt8]) throws {
    try Files.write(octets.filter { $0 != ASCII.carriageReturn }, to: files[index].path)
  }

  // MARK: By subject

  /// The place of the first file with that subject, or with that number of a ``Corpus``, as in "(12)".
  package func index(_ subject: String) throws -> Int {
    let line = subject.hasPrefix("(") ? " \(subject)\n" : "Subject: \(subject)\n"
    let found = files.firstIndex {
      String(decoding: Files.read($0.path) ?? [], as: UTF8.self).contains(line)
    }
    guard let found else { throw HarnessError("no \(subject) in \(path)") }
    return found
  }

  /// What a file holds.
  package func content(_ subject: String) throws -> [UInt8] { try content(try index(subject)) }

  /// Renames a file as a client does that sets flags.
  package func setFlags(_ letters: String, of subject: String) throws {
    try setFlags(letters, of: try index(subject))
  }

  /// Copies a file to another folder of the account under its own name.
  package func copy(_ subject: String, to folder: String) throws {
    let file = files[try index(subject)]
    let target = "\(root)/\(folder)/cur/\(file.base):2,S"
    try Command.shell("cp -p \"$1\" \"$2\"", [file.path, target])
  }

  /// Unlinks a file.
  package func remove(_ subject: String) throws { try remove(try index(subject)) }

  /// Moves a file to another folder of the account under its own name; gives its base name.
  @discardableResult
  package func move(_ subject: String, to folder: String, flags: String) throws -> String {
    try move(try index(subject), to: folder, flags: flags)
  }

  /// Writes a file anew in its place.
  package func write(_ subject: String, _ octets: [UInt8]) throws {
    try write(try index(subject), octets)
  }

  private var files: [(base: String, name: String, path: String)] {
    ["new", "cur"].flatMap { subdirectory in
      Files.names(in: "\(path)/\(subdirectory)").map { octets in
        let name = String(decoding: octets, as: UTF8.self)
        let base = name.firstRange(of: ":").map { String(name[..<$0.lowerBound]) } ?? name
        return (base, name, "\(path)/\(subdirectory)/\(name)")
      }
    }.sorted { $0.base < $1.base }
  }
}
