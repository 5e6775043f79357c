internal import Configuration
internal import MailModel
internal import Octets
internal import SyncState
internal import Hashing

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
/// offlineimap translates a name, then puts its own separator in place of the server's; it skips mailboxes whose names
/// have its separator in another meaning.
struct OfflineIMAPFolders {
  /// What stands between the levels in the folders' names: `sep` of the configuration.
  let separator: UInt8
  /// What stands between the levels of the mailboxes.
  let delimiter: UInt8
  /// The mailboxes that offlineimap can have, by their names on the wire.
  private(set) var boxes: [[UInt8]: OfflineIMAPBox] = [:]
  /// The folders of mailboxes that it cannot.
  private(set) var left: [(name: [UInt8], directory: [UInt8])] = []
  private let layout: FolderLayout
  private let names: ServerNames
  private let here: MailboxNames

  /// Takes what is recorded of the mailboxes.
  init(
    _ headers: [MailboxHeader],
    _ server: ServerNames,
    layout: FolderLayout,
    here: MailboxNames
  ) {
    self.layout = layout
    self.names = server
    self.here = here
    delimiter = server.delimiter
    let names = headers.map { ModifiedUTF7.decode($0.mailbox) ?? $0.mailbox }
    let separators = layout == .verbatim ? [ASCII.slash, ASCII.dot] : [ASCII.dot]
    let start = Self.start(server)
    let counts = separators.map { separator in
      zip(headers, names).count { header, name in
        let folder = Self.folder(of: name, layout, start)
        return Self.replace(server.delimiter, by: separator, in: folder) == header.directory
          && (separator != ASCII.dot || server.delimiter == ASCII.dot || !name.contains(ASCII.dot))
      }
    }
    separator = counts.max().flatMap(counts.firstIndex).map { separators[$0] } ?? ASCII.slash
    for (header, name) in zip(headers, names) { add(header, name) }
  }

  /// What the names of mailboxes begin with and those of folders lack.
  private static func start(_ names: ServerNames) -> [UInt8] {
    names.hidden.reduce(into: []) { $0 += $1 + [names.delimiter] }
  }

  private var start: [UInt8] { Self.start(names) }

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
    let regular = Self.folder(of: name, layout, start)
    let isRegular = Self.replace(delimiter, by: separator, in: regular) == header.directory
    let visible = isRegular ? regular : header.directory
    let back = isRegular ? Self.name(of: header.directory, layout, start) : name
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
  private static func folder(
    of name: [UInt8],
    _ layout: FolderLayout,
    _ start: [UInt8]
  ) -> [UInt8] {
    let rest = name.starts(with: start) ? Array(name.dropFirst(start.count)) : name
    guard layout != .verbatim else { return rest }
    return name.equalsCaseless("INBOX") ? [] : [ASCII.dot] + rest
  }

  /// The mailbox of a folder before separators are replaced.
  private static func name(
    of directory: [UInt8],
    _ layout: FolderLayout,
    _ start: [UInt8]
  ) -> [UInt8] {
    guard layout != .verbatim else {
      return directory.equalsCaseless("INBOX") ? directory : start + directory
    }
    return directory.isEmpty ? Array("INBOX".utf8) : start + directory.dropFirst()
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
    let literal = PythonText.literal(Self.text(start))
    let rest =
      start.isEmpty
      ? "name" : "(name[\(start.count):] if name.startswith(\(literal)) else name)"
    let other =
      layout == .verbatim ? rest : "('' if name.upper() == 'INBOX' else '.' + \(rest))"
    return translation(irregular.map { ($0.name, $0.directory) }, other)
  }

  /// `nametrans` of the folders.
  var backTranslation: String? {
    let literal = PythonText.literal(Self.text(start))
    let plain = start.isEmpty ? "name" : "(name if name.upper() == 'INBOX' else \(literal) + name)"
    let rest = start.isEmpty ? "name[1:]" : "\(literal) + name[1:]"
    let other = layout == .verbatim ? plain : "('INBOX' if name == '' else \(rest))"
    return translation(irregular.map { ($0.directory, $0.name) }, other)
  }

  private var irregular: [OfflineIMAPBox] {
    boxes.values.filter { !$0.isRegular }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  private func translation(_ pairs: [([UInt8], [UInt8])], _ other: String) -> String? {
    guard !pairs.isEmpty || other != "name" else { return nil }
    guard !pairs.isEmpty else { return "lambda name: \(other)" }
    let dictionary = PythonText.dictionary(pairs.map { (Self.text($0.0), Self.text($0.1)) })
    return "lambda name: \(dictionary).get(name, \(other))"
  }

  /// `folderfilter` of the server; nil where all mailboxes take part.
  func filter(_ settings: SyncSettings, besides views: [MailboxPattern]) -> String? {
    var conditions: [String] = []
    if !left.isEmpty {
      conditions.append("name not in \(PythonText.list(left.map { Self.text($0.name) }))")
    }
    let exclude = settings.exclude + views
    if settings.include != .all || !exclude.isEmpty {
      conditions.append(selection(settings.include, exclude, settings))
    }
    return conditions.isEmpty ? nil : "lambda name: " + conditions.joined(separator: " and ")
  }

  /// Whether a mailbox is let in; those with folders of other names are told one by one.
  private func selection(
    _ include: OrderedPatterns,
    _ exclude: [MailboxPattern],
    _ settings: SyncSettings
  ) -> String {
    var condition = ""
    for entry in include.entries {
      let match = match([entry.pattern])
      if entry.admits {
        condition = condition.isEmpty ? match : "(\(condition) or \(match))"
      } else {
        condition = condition.isEmpty ? "False" : "(\(condition) and not \(match))"
      }
    }
    if !exclude.isEmpty { condition += " and not " + match(exclude) }
    let others = irregular
    guard !others.isEmpty else { return condition }
    let wanted = others.filter {
      let name = $0.name.map { $0 == delimiter ? ASCII.slash : $0 }
      return settings.selects(here.forms(of: here.name(of: name)))
    }
    let all = PythonText.list(others.map { Self.text($0.name) })
    let some = PythonText.list(wanted.map { Self.text($0.name) })
    return "(name in \(some) if name in \(all) else \(condition))"
  }

  /// `folderfilter` of the folders.
  var folderFilter: String? {
    guard !left.isEmpty else { return nil }
    return "lambda name: name not in \(PythonText.list(left.map { Self.text($0.directory) }))"
  }

  /// Patterns are for names with slashes between the levels, and without a prefix that folders lack.
  private func match(_ patterns: [MailboxPattern]) -> String {
    let forms = patterns.flatMap(names.forms)
    let expression = PythonText.expression(forms.map(Self.text))
    let separator = PythonText.literal(Self.text([delimiter]))
    let literal = PythonText.literal(Self.text(start))
    let rest =
      start.isEmpty ? "name" : "(name[\(start.count):] if name.startswith(\(literal)) else name)"
    let name = "'INBOX' if name.upper() == 'INBOX' else \(rest).replace(\(separator), '/')"
    return "bool(re.fullmatch(\(expression), \(name)))"
  }

  private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }
}
