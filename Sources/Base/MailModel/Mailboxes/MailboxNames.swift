internal import Octets

/// What the mailboxes of an account are called here: the names on the server, without the prefix of the personal namespace
/// where that is hidden, or as the configuration maps them.
///
/// Names are decoded, with slashes between their levels. A name here never begins with a hidden prefix unless it is the name
/// on the server, so that both forms of a name mean one mailbox.
package struct MailboxNames: Hashable, Sendable {
  /// The levels of the prefix of the personal namespace; empty where there is none.
  package let prefix: [[UInt8]]
  /// Whether the prefix is part of names here.
  package let style: NamespaceStyle
  /// The folders that the configuration gives to mailboxes; the mailboxes are named in either form.
  package let folders: [[UInt8]: [UInt8]]
  /// The names on the server that are the same here, although the prefix is hidden: those outside of the namespace, and
  /// those that would otherwise meet them.
  private let unchanged: Set<[UInt8]>
  /// What the names of other namespaces begin with, on the server and here.
  private let others: [[UInt8]]

  /// Names that are the same on both sides.
  package static let plain = MailboxNames(prefix: [], style: .keep)

  /// Names of an account.
  ///
  /// - Parameters:
  ///   - prefix: the levels of the prefix of the personal namespace.
  ///   - style: whether the prefix is part of names here.
  ///   - folders: mailboxes with other names here.
  ///   - listed: the names of the mailboxes that the server lists.
  ///   - others: the prefixes of the server's other namespaces, with slashes between and behind their levels.
  package init(
    prefix: [[UInt8]],
    style: NamespaceStyle,
    folders: [[UInt8]: [UInt8]] = [:],
    listed: [[UInt8]] = [],
    others: [[UInt8]] = []
  ) {
    self.prefix = prefix
    self.style = style
    self.folders = folders
    self.others = others
    let start = Self.start(prefix)
    guard style == .hide, !start.isEmpty else {
      unchanged = []
      return
    }
    unchanged = Set(listed.filter { !$0.starts(with: start) })
  }

  /// What is recorded of the names; nil where they are those on the server.
  package var recorded: MailboxNames? {
    guard !prefix.isEmpty || !folders.isEmpty else { return nil }
    return MailboxNames(prefix: prefix, style: style, folders: folders)
  }

  /// The prefix with a slash behind each level.
  private static func start(_ prefix: [[UInt8]]) -> [UInt8] {
    prefix.reduce(into: []) { $0 += $1 + [ASCII.slash] }
  }

  private var start: [UInt8] { Self.start(prefix) }

  // MARK: From the server

  /// The name here of a mailbox, for its name on the server.
  package func name(of mailbox: [UInt8]) -> [UInt8] {
    if let folder = folder(for: mailbox) { return folder }
    return style == .hide ? withoutPrefix(mailbox) : mailbox
  }

  /// The path here, for the path on the server.
  package func path(of mailbox: MailboxPath) -> MailboxPath {
    if let folder = folder(for: mailbox.joined) { return MailboxPath(joined: folder) }
    guard style == .hide, mailbox.components.count > prefix.count, !prefix.isEmpty,
      withoutPrefix(mailbox.joined) != mailbox.joined
    else { return mailbox }
    return MailboxPath(components: Array(mailbox.components.dropFirst(prefix.count)))
  }

  private func folder(for mailbox: [UInt8]) -> [UInt8]? {
    guard !folders.isEmpty else { return nil }
    if let folder = folders[mailbox] { return folder }
    let start = start
    guard !start.isEmpty else { return nil }
    if mailbox.starts(with: start) { return folders[Array(mailbox.dropFirst(start.count))] }
    return nil
  }

  /// The name without a hidden prefix, where no other mailbox has that name, and it does not look as if it had the prefix.
  private func withoutPrefix(_ mailbox: [UInt8]) -> [UInt8] {
    let start = start
    guard !start.isEmpty, mailbox.starts(with: start) else { return mailbox }
    let rest = Array(mailbox.dropFirst(start.count))
    let first = rest.prefix { $0 != ASCII.slash }
    guard !rest.isEmpty, !first.equalsCaseless("INBOX"), !rest.starts(with: start),
      !unchanged.contains(rest), !others.contains(where: rest.starts),
      !folders.values.contains(rest)
    else { return mailbox }
    return rest
  }

  // MARK: To the server

  /// The name on the server of a mailbox, for its name here, whether there is such a mailbox or not.
  package func mailbox(of name: [UInt8]) -> [UInt8] {
    let mapped = folders.filter { $0.value == name }.map(\.key)
    // The order of a dictionary is that of no configuration.
    if let mailbox = mapped.min(by: { $0.lexicographicallyPrecedes($1) }) {
      return withPrefix(mailbox)
    }
    return withPrefix(name)
  }

  private func withPrefix(_ name: [UInt8]) -> [UInt8] {
    let start = start
    guard style == .hide, !start.isEmpty, !name.starts(with: start), !name.equalsCaseless("INBOX"),
      !unchanged.contains(name), !others.contains(where: name.starts)
    else { return name }
    return start + name
  }

  /// The one name here that stands for a name in either form.
  package func canonical(_ name: [UInt8]) -> [UInt8] { self.name(of: mailbox(of: name)) }

  // MARK: What people write

  /// The names here that a name in either form may stand for, the likeliest first.
  package func meanings(of name: [UInt8]) -> [[UInt8]] {
    let canonical = canonical(name)
    let start = start
    guard style == .keep, !start.isEmpty, !canonical.starts(with: start),
      !canonical.equalsCaseless("INBOX")
    else { return [canonical] }
    return [canonical, start + canonical]
  }

  /// The names by which people mean the mailbox of a name here: that name, and its other forms.
  package func forms(of name: [UInt8]) -> [[UInt8]] {
    var forms = [name]
    func add(_ form: [UInt8]) { if !forms.contains(form) { forms.append(form) } }
    if !folders.isEmpty { for (key, folder) in folders where folder == name { add(key) } }
    let start = start
    guard !start.isEmpty else { return forms }
    // The name of a folder that the configuration gives is outside of all namespaces.
    for form in forms.count > 1 ? Array(forms.dropFirst()) : forms {
      if form.starts(with: start) {
        if form.count > start.count { add(Array(form.dropFirst(start.count))) }
      } else if style == .hide, !form.equalsCaseless("INBOX"), !unchanged.contains(form) {
        add(start + form)
      }
    }
    return forms
  }
}

/// Whether the names of folders begin with the prefix of the personal namespace, such as `INBOX.` (RFC 2342).
package enum NamespaceStyle: String, Hashable, Sendable, CaseIterable {
  /// The mailbox `INBOX.Sent` is the folder `INBOX/Sent`.
  case keep
  /// The mailbox `INBOX.Sent` is the folder `Sent`.
  case hide
}
