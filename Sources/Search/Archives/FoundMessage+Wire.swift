internal import JSON
internal import Octets
internal import SearchIndex
internal import Threads

// Messages as they go from one machine to another: without paths of files, which mean nothing there, and with all that threads
// and lists are made of.
extension FoundMessage {
  var wire: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("id", .octets(id)), ("thread", .bits(thread.rawValue)), ("date", .integer(date)),
      ("size", .integer(size)), ("subject", .octets(subject)), ("from", Self.wire(from)),
    ]
    if !to.isEmpty { members.append(("to", Self.wire(to))) }
    if !cc.isEmpty { members.append(("cc", Self.wire(cc))) }
    members += [
      ("snippet", .octets(snippet)), ("tags", .array(tags.map { .string($0.rawValue) })),
      ("folders", .array((files.map(\.folder) + copies.map(\.folder)).map { .octets($0) })),
      ("match", .boolean(isMatch)), ("content", .bits(content)),
      ("links", .array(member.links.map { .bits($0.rawValue) })),
    ]
    if let subject = member.subject {
      members.append(("subject-link", .bits(subject.key.rawValue)))
      members.append(("reply", .boolean(subject.isReply)))
    }
    return .object(members)
  }

  private static func wire(_ people: [Person]) -> JSONValue {
    .array(people.map { .array([.octets($0.name), .octets($0.address)]) })
  }

  /// The message that an archive of that name told of.
  ///
  /// - Throws: where it is none that an index could hold.
  init(wire value: JSONValue, of archive: String) throws(WireMistake) {
    let id = try Self.id(value.wire("id"))
    let date: Int64 = try value.wire("date").wireInteger()
    var links: [LinkKey] = []
    for link in try value.wire("links").wireElements() {
      links.append(LinkKey(rawValue: try link.wireBits()))
    }
    guard links.count <= ThreadMember.linkLimit else { throw WireMistake("fewer links") }
    var copies: [ArchivedCopy] = []
    for folder in try value.wire("folders").wireElements() {
      copies.append(ArchivedCopy(archive: archive, folder: try folder.wireOctets()))
    }
    self.init(
      id: id,
      thread: ThreadID(rawValue: try value.wire("thread").wireBits()),
      date: date,
      size: try value.wire("size").wireInteger(),
      subject: try value.wire("subject").wireOctets(),
      from: try Self.people(value.wire("from")),
      to: try value.wire(ifPresent: "to").map(Self.people) ?? [],
      cc: try value.wire(ifPresent: "cc").map(Self.people) ?? [],
      snippet: try value.wire("snippet").wireOctets(),
      tags: try Self.tags(value.wire("tags")),
      files: [],
      copies: copies,
      isMatch: try value.wire("match").wireFlag(),
      member: ThreadMember(
        id: LinkKey(id: id),
        links: links,
        subject: try Self.subjectLink(value),
        date: date
      ),
      content: try value.wire("content").wireBits()
    )
  }

  /// What is printed a line each, and put into queries, has no line ends in it.
  static func id(_ value: JSONValue) throws(WireMistake) -> [UInt8] {
    let id = try value.wireOctets()
    guard !id.isEmpty, !id.contains(where: ASCII.isControl) else { throw WireMistake("an id") }
    return id
  }

  private static func tags(_ value: JSONValue) throws(WireMistake) -> [Tag] {
    var tags: Set<Tag> = []
    for element in try value.wireElements() {
      let text = try element.wireText()
      guard !text.isEmpty, !text.utf8.contains(where: { $0 <= ASCII.space || $0 == ASCII.delete })
      else { throw WireMistake("a tag") }
      tags.insert(Tag(rawValue: text))
    }
    return tags.sorted()
  }

  private static func people(_ value: JSONValue) throws(WireMistake) -> [Person] {
    var people: [Person] = []
    for element in try value.wireElements() {
      let both = try element.wireElements()
      guard both.count == 2 else { throw WireMistake("a name and an address") }
      people.append(Person(name: try both[0].wireOctets(), address: try both[1].wireOctets()))
    }
    return people
  }

  private static func subjectLink(_ value: JSONValue) throws(WireMistake) -> SubjectLink? {
    guard let key = value.wire(ifPresent: "subject-link") else { return nil }
    return SubjectLink(
      key: LinkKey(rawValue: try key.wireBits()),
      isReply: try value.wire("reply").wireFlag()
    )
  }
}

extension FoundThread {
  var wire: JSONValue {
    .object([("thread", .bits(id.rawValue)), ("messages", .array(messages.map(\.wire)))])
  }

  init(wire value: JSONValue, of archive: String) throws(WireMistake) {
    var messages: [FoundMessage] = []
    for message in try value.wire("messages").wireElements() {
      messages.append(try FoundMessage(wire: message, of: archive))
    }
    guard !messages.isEmpty else { throw WireMistake("messages of a thread") }
    self.init(
      id: ThreadID(rawValue: try value.wire("thread").wireBits()),
      messages: messages
    )
  }
}

extension FoundID {
  var wire: JSONValue { .array([.octets(id), .integer(date)]) }

  init(wire value: JSONValue) throws(WireMistake) {
    let both = try value.wireElements()
    guard both.count == 2 else { throw WireMistake("an id and a date") }
    self.init(id: try FoundMessage.id(both[0]), date: try both[1].wireInteger())
  }
}
