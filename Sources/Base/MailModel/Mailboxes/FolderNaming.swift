internal import Octets

/// Which directory stands for which mailbox: paths relative to the root of an account, in one of the layouts.
package struct FolderNaming: Hashable, Sendable {
  /// How the hierarchy shows on disk.
  package let layout: FolderLayout
  /// The octets of the root's own path, since the system limits whole paths.
  private let rootLength: Int

  package init(layout: FolderLayout, rootLength: Int) {
    self.layout = layout
    self.rootLength = rootLength
  }

  /// The directory for a mailbox, relative to the root.
  ///
  /// Octets that would lead elsewhere, or that file names cannot hold, are written as %XX; the path never leaves the
  /// root, and ``components(of:)`` is the way back. The inbox is the one component `INBOX`.
  ///
  /// - Parameter components: the levels of the name, decoded (UTF-8, or whatever octets the server sent).
  /// - Returns: the path; "" for the root itself; nil where the system could not hold it (a component of more than
  ///   255 octets, a path of more than 4,095), or where there are no components.
  package func directory(for components: [[UInt8]]) -> [UInt8]? {
    guard !components.isEmpty else { return nil }
    let names = components.map { FolderName.escape($0, isDotSeparator: layout == .maildirPlusPlus) }
    let relative: [UInt8]
    switch layout {
    case .verbatim: relative = Array(names.joined(separator: [ASCII.slash]))
    case .maildirPlusPlus: relative = components == [Self.inbox] ? [] : Self.dotted(names)
    }
    return fits(relative) ? relative : nil
  }

  /// The mailbox that a directory stands for.
  ///
  /// - Parameter relative: the path of the directory, relative to the root.
  /// - Returns: the levels of the name; nil where ``directory(for:)`` does not lead to this path.
  package func components(of relative: [UInt8]) -> [[UInt8]]? {
    guard let names = names(in: relative) else { return nil }
    var components: [[UInt8]] = []
    for name in names {
      guard let component = FolderName.unescape(name) else { return nil }
      components.append(component)
    }
    return directory(for: components) == relative ? components : nil
  }

  /// What a directory stands for that another program made.
  ///
  /// A level that is not written as ``directory(for:)`` would write it stands for itself: `50% off` and `50%25 off` are
  /// both the mailbox `50% off`.
  package func meaning(of relative: [UInt8]) -> FolderMeaning {
    if let components = components(of: relative) { return .mailbox(components) }
    guard let names = names(in: relative) else { return .noName }
    var components: [[UInt8]] = []
    for name in names {
      if name.isEmpty || FolderName.reserved.contains(name) {
        return .noName
      }
      if name.first == ASCII.dot { return .hidden }
      // In Maildir++ a folder below a folder's directory is no folder.
      if name.contains(ASCII.slash) { return .noName }
      components.append(ownLevel(name) ?? name)
    }
    return .mailbox(components)
  }

  /// What people call the mailbox of a directory, with `/` between its levels; the path itself where it stands for none.
  package func name(of relative: [UInt8]) -> [UInt8] {
    guard case .mailbox(let levels) = meaning(of: relative) else { return relative }
    return Array(levels.joined(separator: [ASCII.slash]))
  }

  /// The level that a name stands for where it is written as ours; nil where it is not.
  private func ownLevel(_ name: [UInt8]) -> [UInt8]? {
    guard let level = FolderName.unescape(name) else { return nil }
    let isOurs = FolderName.escape(level, isDotSeparator: layout == .maildirPlusPlus) == name
    return isOurs ? level : nil
  }

  private static let inbox = [UInt8](ascii: "INBOX")

  /// The longest name after the directory: "/cur/" and a file name.
  private static let roomForFile = 5 + 255

  private static func dotted(_ names: [[UInt8]]) -> [UInt8] {
    names.reduce(into: []) { $0 += [ASCII.dot] + $1 }
  }

  private func names(in relative: [UInt8]) -> [[UInt8]]? {
    switch layout {
    case .verbatim:
      return relative.split(separator: ASCII.slash, omittingEmptySubsequences: false).map(
        Array.init
      )
    case .maildirPlusPlus:
      guard let first = relative.first else { return [Self.inbox] }
      guard first == ASCII.dot else { return nil }
      return relative.dropFirst().split(separator: ASCII.dot, omittingEmptySubsequences: false)
        .map(Array.init)
    }
  }

  private func fits(_ relative: [UInt8]) -> Bool {
    rootLength + 1 + relative.count + Self.roomForFile <= 4095
      && relative.split(separator: ASCII.slash).allSatisfy { $0.count <= 255 }
  }
}

/// How mailboxes become folders below an account's Maildir root.
package enum FolderLayout: String, Hashable, Sendable, CaseIterable {
  /// A folder a mailbox, nested as on the server: `Lists/swift/{cur,new,tmp}`.
  case verbatim

  /// Dovecot's and Courier's flat layout, the inbox being the root: `.Lists.swift/{cur,new,tmp}`.
  case maildirPlusPlus = "maildir++"
}

/// What a directory below an account's root stands for.
package enum FolderMeaning: Hashable, Sendable {
  /// The mailbox of these levels.
  case mailbox([[UInt8]])
  /// The layout has no name for it: a level that is `cur`, `new` or `tmp`, or a directory that Maildir++ does not know.
  case noName
  /// A level begins with a dot: other programs keep what is no mailbox in such directories.
  case hidden
}

/// One level of a mailbox name as part of a path, and back.
///
/// Escaped are: `%` itself, `/`, control octets, octets that are not UTF-8, a dot at the start (in Maildir++ every
/// dot), and the first letter of `cur`, `new` and `tmp`. An empty level is a lone `%`.
enum FolderName {
  /// A name that is safe as part of a path.
  static func escape(_ component: [UInt8], isDotSeparator: Bool) -> [UInt8] {
    guard !component.isEmpty else { return [ASCII.percent] }
    let hidden = mustHideFirst(component) ? 1 : 0
    let first = PercentEscape.escape(component.prefix(hidden)) { _ in true }
    return first + escapeRuns(component.dropFirst(hidden), isDotSeparator)
  }

  /// The level that a name stands for; nil where an escape is malformed.
  static func unescape(_ name: [UInt8]) -> [UInt8]? {
    name == [ASCII.percent] ? [] : PercentEscape.unescape(name)
  }

  /// The directories of a Maildir, which are no folders.
  static let reserved = [[UInt8](ascii: "new"), [UInt8](ascii: "cur"), [UInt8](ascii: "tmp")]

  private static func mustHideFirst(_ component: [UInt8]) -> Bool {
    component.first == ASCII.dot || reserved.contains(component)
  }

  /// Escapes character by character, so that octets outside of any character stand out.
  private static func escapeRuns(_ octets: ArraySlice<UInt8>, _ isDotSeparator: Bool) -> [UInt8] {
    var result: [UInt8] = []
    var rest = octets.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var position = octets.startIndex
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let character):
        result += PercentEscape.escape(character) { isSpecial($0, isDotSeparator) }
        position += character.count
      case .error(let length):
        result += PercentEscape.escape(octets[position..<(position + length)]) { _ in true }
        position += length
      case .emptyInput:
        return result
      }
    }
  }

  private static func isSpecial(_ octet: UInt8, _ isDotSeparator: Bool) -> Bool {
    ASCII.isControl(octet) || octet == ASCII.slash || (isDotSeparator && octet == ASCII.dot)
  }
}
