internal import Octets

/// A keyword that a folder's file of keywords gives to a message there.
struct Keyword: Hashable {
  /// The number of the folder.
  let folder: Int
  /// The keyword as the server spells it.
  let name: [UInt8]

  /// Longer ones are no tags: the library could not take them.
  private static let sizeLimit = 100

  /// - Returns: nil where the keyword is too long, or would be taken for a tag that says something else.
  init?(folder: Int, _ name: [UInt8]) {
    let small = String(decoding: name.map { ASCII.lowercased($0) }, as: UTF8.self)
    guard name.count <= Self.sizeLimit, !Tag.own.contains(Tag(rawValue: small)) else { return nil }
    self.folder = folder
    self.name = name
  }

  var tag: Tag { Tag(rawValue: String(decoding: name, as: UTF8.self)) }

  func write(to writer: inout OctetWriter) {
    writer.add(folder)
    writer.add(name)
  }

  /// The keyword that was written; nil where it is no tag.
  init?(_ reader: inout OctetReader) {
    self.init(folder: reader.count(), reader.text())
  }
}
