package import MailModel
internal import Octets

/// Compares the names that a user gave with those of the mailboxes that there are: a pure function.
package struct NameCheck {
  private let mailboxes: [ServerMailbox]
  /// The names of each mailbox that can hold messages, decoded, with slashes between the levels; the one in use comes first.
  private let names: [[[UInt8]]]

  /// A check against the mailboxes that a server lists.
  package init(_ mailboxes: [ServerMailbox]) {
    self.mailboxes = mailboxes
    names = mailboxes.filter(\.isSelectable).map(\.names)
  }

  /// The patterns of the command line by which nothing is done.
  ///
  /// `others` are names of mailboxes that the server does not list: removed ones, and folders that it is to get.
  /// `isMirrored` says whether the configuration lets a mailbox take part.
  package func unknown<Failure: Error>(
    _ patterns: [MailboxPattern],
    others: () throws(Failure) -> [[UInt8]],
    isMirrored: ([UInt8]) -> Bool
  ) throws(Failure) -> UnknownName? {
    let mirrored = names.filter { $0.first.map(isMirrored) ?? false }
    let open = patterns.filter { pattern in !mirrored.contains { pattern.matches(anyOf: $0) } }
    guard !open.isEmpty else { return nil }
    let others = try others()
    guard let first = open.first(where: { pattern in !others.contains { pattern.matches($0) } })
    else { return nil }
    let isThere = names.contains { first.matches(anyOf: $0) }
    return UnknownName(
      source: .commandLine,
      name: first.octets,
      remedy: isThere ? .notMirrored : remedy(for: first, among: mirrored)
    )
  }

  /// The patterns and roles of the configuration that fit nothing.
  package func unknown(
    include: [MailboxPattern],
    exclude: [MailboxPattern],
    roles: [MailboxRole: [UInt8]]
  ) -> [UnknownName] {
    unknown(include, .include) + unknown(exclude, .exclude)
      + MailboxRole.configurable.compactMap { role in roles[role].flatMap { unknown(role, $0) } }
  }

  private func unknown(
    _ patterns: [MailboxPattern],
    _ source: UnknownName.Source
  ) -> [UnknownName] {
    patterns.filter { pattern in !names.contains { pattern.matches(anyOf: $0) } }.map {
      UnknownName(source: source, name: $0.octets, remedy: remedy(for: $0, among: names))
    }
  }

  /// The name given for a role, where no mailbox has it.
  package func unknown(_ role: MailboxRole, _ name: [UInt8]) -> UnknownName? {
    guard !names.contains(where: { $0.contains(name) }) else { return nil }
    let roles = RoleFinder(mailboxes, configured: [:])
    let marked = mailboxes.first { $0.isSelectable && roles.role(of: $0) == role }
    let remedy =
      marked.map { .marked($0.path.joined) }
      ?? self.remedy(for: MailboxPattern(name), among: names)
    return UnknownName(source: .role(role), name: name, remedy: remedy)
  }

  /// The mailboxes below one of that name, or a name with a slip less.
  private func remedy(
    for pattern: MailboxPattern,
    among mailboxes: [[[UInt8]]]
  ) -> UnknownName.Remedy {
    let names = mailboxes.compactMap(\.first)
    let below = pattern.octets + [ASCII.slash, ASCII.asterisk]
    if names.contains(where: { MailboxPattern(below).matches($0) }) { return .near(below) }
    let word = String(decoding: pattern.octets, as: UTF8.self)
    let known = names.map { String(decoding: $0, as: UTF8.self) }
    return Suggestion.nearest(to: word, among: known).map { .near(Array($0.utf8)) } ?? .none
  }
}

/// A name or pattern, given by the user, that fits no mailbox.
package struct UnknownName: Hashable, Sendable {
  /// Where it was given.
  package enum Source: Hashable, Sendable {
    case commandLine, include, exclude, role(MailboxRole)
  }

  /// What stands in place of it.
  package enum Remedy: Hashable, Sendable {
    /// Nothing comes near it.
    case none
    /// This one was probably meant.
    case near([UInt8])
    /// The server has this mailbox for that role.
    case marked([UInt8])
    /// There is such a mailbox, but it is not mirrored.
    case notMirrored
  }

  /// Where it was given.
  package let source: Source
  /// The name as it was written.
  package let name: [UInt8]
  /// What to write instead.
  package let remedy: Remedy

  /// A name with where it was given, and what to write instead.
  package init(source: Source, name: [UInt8], remedy: Remedy) {
    self.source = source
    self.name = name
    self.remedy = remedy
  }
}
