/// Where in the tree a part stands, which decides about its number and what it is for.
struct PartPlace {
  /// The numbers before its own; of the message around it for the root of one.
  let above: [Int]

  /// Its number among its siblings; `nil` for the root of a message.
  let number: Int?

  /// How many multiparts and messages it lies in.
  let depth: Int

  /// The type of the multipart it lies in; `nil` for the root of a message.
  let container: ContentType?

  /// Whether it is a part of a partial file itself, not of a message inside.
  var isOfPartialFile = false

  /// The root of the outermost message.
  static let root = PartPlace(above: [], number: nil, depth: 0, container: nil)

  /// The numbers before those of the parts of a multipart at this place.
  var prefix: [Int] {
    number.map { above + [$0] } ?? above
  }

  /// The number of what stands here; a root without parts is part 1 of its message.
  func section(isMultipart: Bool) -> Section? {
    guard number == nil else { return Section(numbers: prefix) }
    return isMultipart ? nil : Section(numbers: above + [1])
  }

  /// Whether a message without a Content-Type is to be supposed here.
  var isInDigest: Bool {
    container?.isType("multipart", "digest") ?? false
  }

  /// Whether it shares its container with others and comes after the first of them.
  var isLaterPart: Bool {
    number.map { $0 > 1 } ?? false
  }
}
