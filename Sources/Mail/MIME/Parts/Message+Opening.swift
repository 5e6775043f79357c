internal import Octets

/// What a part of a message was decrypted to, or what of it was signed, as another program gave it.
package enum OpenedContent: Sendable {
  /// A part of a message, header and body, which takes the place of the part.
  case replacement([UInt8])
  /// A part of a message, header and body, which becomes the only one below the part.
  case inside([UInt8])
  /// A text, which takes the place of the body; its charset, as a name of letters and digits, or nil for the usual one.
  case text([UInt8], charset: [UInt8]?)
}

extension Message {
  /// The part at the end of a path, which has the place of each child among its siblings, from 0; nil where there is none.
  package func part(at path: [Int]) -> Part? {
    var part = root
    for place in path {
      guard part.children.indices.contains(place) else { return nil }
      part = part.children[place]
    }
    return part
  }

  /// The same message with one of its parts opened.
  ///
  /// Sections are counted as in the message that came, so that what was opened is found in the place of what was closed.
  ///
  /// - Parameters:
  ///   - path: the part, by the places of the parts above it and its own, from 0.
  ///   - content: what was made of the part.
  ///   - limits: how much of it is taken apart.
  /// - Returns: the message; the same where there is no such part.
  package func opening(
    _ path: [Int],
    as content: OpenedContent,
    limits: MessageLimits = .standard
  ) -> Message {
    guard let target = part(at: path) else { return self }
    let container = path.isEmpty ? nil : part(at: path.dropLast())?.contentType
    let opened = target.opened(
      content,
      in: container,
      depth: path.count,
      PartBudget(limits: limits, count: parts.count)
    )
    return Message(octets: octets, root: root.replacing(path[...], with: opened))
  }

  /// The same message with other texts in the place of some of its leaves, those of messages inside not among them.
  ///
  /// - Parameter text: the text in UTF-8 for a leaf; nil where it stays as it is.
  /// - Returns: the message.
  package func replacingTexts(_ text: (Part) -> [UInt8]?) -> Message {
    Message(octets: octets, root: root.replacingTexts(text))
  }

  private init(octets: [UInt8], root: Part) {
    self.octets = octets
    self.root = root
    exceedsLimits = false
  }
}

/// How much more of a message may be taken apart.
private struct PartBudget {
  let limits: MessageLimits
  /// How many parts there are already.
  let count: Int

  func root(of octets: [UInt8], at place: PartPlace) -> Part {
    var parser = PartParser(octets, limits: limits, count: count, decodings: 1)
    return parser.parse(at: place)
  }
}

extension Part {
  fileprivate func replacing(_ path: ArraySlice<Int>, with other: Part) -> Part {
    guard let place = path.first else { return other }
    var children = children
    children[place] = children[place].replacing(path.dropFirst(), with: other)
    return with(children: children)
  }

  fileprivate func replacingTexts(_ text: (Part) -> [UInt8]?) -> Part {
    switch kind {
    case .message: self
    case .leaf: text(self).map { leaf($0, charset: nil) } ?? self
    case .multipart: with(children: children.map { $0.replacingTexts(text) })
    }
  }

  private func with(children: [Part]) -> Part {
    Part(
      section: section,
      header: header,
      contentType: contentType,
      disposition: disposition,
      encoding: encoding,
      kind: kind,
      role: role,
      isPlaceholder: isPlaceholder,
      octets: octets,
      body: body,
      children: children
    )
  }

  fileprivate func opened(
    _ content: OpenedContent,
    in container: ContentType?,
    depth: Int,
    _ budget: PartBudget
  ) -> Part {
    let numbers = section?.numbers ?? []
    switch content {
    case .replacement(let entity):
      let place = PartPlace(
        above: [Int](numbers.dropLast()),
        number: numbers.last,
        depth: depth,
        container: container
      )
      return budget.root(of: entity, at: place)
    case .inside(let entity):
      let place = PartPlace(above: numbers, number: 1, depth: depth + 1, container: nil)
      return wrapping(budget.root(of: entity, at: place))
    case .text(let text, let charset):
      return leaf(text, charset: charset)
    }
  }

  private func wrapping(_ child: Part) -> Part {
    Part(
      section: section,
      header: header,
      contentType: contentType,
      disposition: disposition,
      encoding: encoding,
      kind: .multipart,
      role: .container,
      isPlaceholder: false,
      octets: octets,
      body: body,
      children: [child]
    )
  }

  /// The part with another text, and the rest of its header.
  private func leaf(_ text: [UInt8], charset: [UInt8]?) -> Part {
    let kind = [UInt8](ascii: contentType.isHTML ? "text/html" : "text/plain")
    let type = kind + [UInt8](ascii: "; charset=") + (charset ?? [UInt8](ascii: "utf-8"))
    return Part(
      section: section,
      header: header,
      contentType: ContentType(type) ?? .plainText,
      disposition: disposition,
      encoding: .identity,
      kind: .leaf,
      role: role,
      isPlaceholder: false,
      octets: text[...],
      body: text[...],
      children: []
    )
  }
}
