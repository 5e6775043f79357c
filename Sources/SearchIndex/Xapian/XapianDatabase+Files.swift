internal import Maildir
internal import Octets

extension XapianDatabase {
  /// The documents with a file of a base name in a folder, whatever its flags are.
  func documents(of base: [UInt8], in folder: Int) throws(IndexError) -> Set<UInt32> {
    var found: Set<UInt32> = []
    for sub in [UInt8(ascii: "c"), UInt8(ascii: "n")] {
      for key in try keys(Schema.paths(in: folder) + [sub] + Schema.uncut(base)) {
        guard let number = try document(key), !found.contains(number) else { continue }
        let files = try Record(data(number)).files
        if files.contains(where: { $0.folder == folder && $0.scanned.name.base == base }) {
          found.insert(number)
        }
      }
    }
    return found
  }
}
