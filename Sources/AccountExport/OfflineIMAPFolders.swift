internal import MailModel
internal import Octets
internal import SyncState
internal import Transport

/// A mailbox as offlineimap has it.
struct OfflineIMAPBox: Hashable {
  /// Its name on the server, decoded, levels as there.
  let name: [UInt8]
  /// The folder, relative to the root.
  let directory: [UInt8]
  /// The name of the file in which its messages are listed.
  let statusFile: [UInt8]
  /// The name that stands in its files' names as an MD5.
  let nameOfFolder: [UInt8]
  /// Whether the rules for all names lead from one to the other.
  let isRegular: Bool

  /// The name of the file with the UIDVALIDITY on the server.
  var serverFile: [UInt8] { OfflineIMAPFolders.fileName(name) }
  /// The same of the folder.
  var folderFile: [UInt8] { OfflineIMAPFolders.fileName(directory) }
  /// Whether both would be listed in one file.
  func sharesFiles(with other: OfflineIMAPBox) -> Bool {
    statusFile == other.statusFile || serverFile == other.serverFile
      || folderFile == other.folderFile
  }
  /// What tells its files from those of other folders: 32 digits.
  var digest: [UInt8] { Hex.encode(Hashes.md5(nameOfFolder)) }
}

/// How offlineimap gets from mailboxes to folders: what stands between the levels on both sides, and what has to be said of
/// single mailboxes.
///
/// offlineimap translates a name, then puts its own separator in place of the server's; it passes over mailboxes whose names
/// have its separator in another meaning.
struct OfflineIMAPFolders {
  /// What stands between the levels in the folders' names: `sep` of the configuration.
  let separator: UInt8
  /// What stands between the levels of the mailboxes; a guess where no mailbox has levels.
  let delimiter: UInt8
  /// The mailboxes that offlineimap can have, by their names on the wire.
  private(set) var boxes: [[UInt8]: OfflineIMAPBox] = [:]
  /// The folders of mailboxes that it cannot.
  private(set) var left: [(name: [UInt8], directory: [UInt8])] = []
  private let layout: FolderLayout

  /// Takes what is recorded of the mailboxes.
  init(_ headers: [MailboxHeader], layout: FolderLayout) {
    self.layout = layout
    let names = headers.map { ModifiedUTF7.decode($0.mailbox) ?? $0.mailbox }
    let separators = layout == .verbatim ? [ASCII.slash, ASCII.dot] : [ASCII.dot]
    let choices = separators.flatMap { separator in
      [ASCII.slash, ASCII.dot].map { (separator, $0) }
    }
    let counts = choices.map { choice in
      zip(headers, names).count { header, name in
        let folder = Self.folder(of: name, layout)
        return Self.replace(choice.1, by: choice.0, in: folder) == header.directory
          && (choice.0 != ASCII.dot || choice.1 == ASCII.dot || !name.contains(ASCII.dot))
      }
    }
    let most = counts.max().flatMap(counts.firstIndex) ?? 0
    (separator, delimiter) = choices[most]
    for (header, name) in zip(headers, names) { add(header, name) }
  }

  private mutating func add(_ header: MailboxHeader, _ name: [UInt8]) {
    if let box = box(header, name), !boxes.values.contains(where: box.sharesFiles) {
      boxes[header.mailbox] = box
    } else {
      left.append((name, header.directory))
    }
  }

  private func box(_ header: MailboxHeader, _ name: [UInt8]) -> OfflineIMAPBox? {
    guard ModifiedUTF7.decode(header.mailbox) != nil,
      String(validating: header.directory, as: UTF8.self) != nil,
      separator == ASCII.slash || separator == delimiter || !name.contains(separator)
    else { return nil }
    let regular = Self.folder(of: name, layout)
    let isRegular = Self.replace(delimiter, by: separator, in: regular) == header.directory
    let visible = isRegular ? regular : header.directory
    let back = isRegular ? Self.name(of: header.directory, layout) : name
    guard Self.replace(delimiter, by: separator, in: visible) == header.directory,
      Self.replace(separator, by: delimiter, in: back) == name
    else { return nil }
    return OfflineIMAPBox(
      name: name,
      directory: header.directory,
      statusFile: Self.fileName(Self.replace(delimiter, by: ASCII.dot, in: visible)),
      nameOfFolder: back,
      isRegular: isRegular
    )
  }

  /// The folder of a mailbox before separators are replaced.
  private static func folder(of name: [UInt8], _ layout: FolderLayout) -> [UInt8] {
    guard layout != .verbatim else { return name }
    return name.equalsCaseless("INBOX") ? [] : [ASCII.dot] + name
  }

  /// The mailbox of a folder before separators are replaced.
  private static func name(of directory: [UInt8], _ layout: FolderLayout) -> [UInt8] {
    guard layout != .verbatim else { return directory }
    return directory.isEmpty ? Array("INBOX".utf8) : Array(directory.dropFirst())
  }

  private static func replace(_ old: UInt8, by new: UInt8, in name: [UInt8]) -> [UInt8] {
    name.map { $0 == old ? new : $0 }
  }

  /// The name of a file that offlineimap has for a mailbox or folder.
  static func fileName(_ name: [UInt8]) -> [UInt8] {
    let name = replace(ASCII.slash, by: ASCII.dot, in: name)
    return name.isEmpty || name == [ASCII.dot] ? Array("dot".utf8) : name
  }

  // MARK: - What the configuration says of it

  /// `nametrans` of the server; nil where names are left as they are.
  var translation: String? {
    let other =
      layout == .verbatim ? "name" : "('' if name.upper() == 'INBOX' else '.' + name)"
    return translation(irregular.map { ($0.name, $0.directory) }, other)
  }

  /// `nametrans` of the folders.
  var backTranslation: String? {
    let other = layout == .verbatim ? "name" : "('INBOX' if name == '' else name[1:])"
    return translation(irregular.map { ($0.directory, $0.name) }, other)
  }

  private var irregular: [OfflineIMAPBox] {
    boxes.values.filter { !$0.isRegular }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  private func translation(_ pairs: [([UInt8], [UInt8])], _ other: String) -> String? {
    guard !pairs.isEmpty || layout != .verbatim else { return nil }
    guard !pairs.isEmpty else { return "lambda name: \(other)" }
    let dictionary = PythonText.dictionary(pairs.map { (Self.text($0.0), Self.text($0.1)) })
    return "lambda name: \(dictionary).get(name, \(other))"
  }

  /// `folderfilter` of the server; nil where all mailboxes take part.
  func filter(include: [MailboxPattern], exclude: [MailboxPattern]) -> String? {
    var conditions: [String] = []
    if !left.isEmpty {
      conditions.append("name not in \(PythonText.list(left.map { Self.text($0.name) }))")
    }
    if include != [MailboxPattern("*")] { conditions.append(match(include)) }
    if !exclude.isEmpty { conditions.append("not " + match(exclude)) }
    return conditions.isEmpty ? nil : "lambda name: " + conditions.joined(separator: " and ")
  }

  /// `folderfilter` of the folders.
  var folderFilter: String? {
    guard !left.isEmpty else { return nil }
    return "lambda name: name not in \(PythonText.list(left.map { Self.text($0.directory) }))"
  }

  /// Patterns are for names with slashes between the levels.
  private func match(_ patterns: [MailboxPattern]) -> String {
    let expression = PythonText.expression(patterns.map { Self.text($0.octets) })
    let separator = PythonText.literal(Self.text([delimiter]))
    let name = "'INBOX' if name.upper() == 'INBOX' else name.replace(\(separator), '/')"
    return "bool(re.fullmatch(\(expression), \(name)))"
  }

  private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }
}
