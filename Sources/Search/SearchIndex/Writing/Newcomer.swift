/// A message that is not in the database yet, with the words of all of its files.
struct Newcomer {
  /// What is to be kept of it.
  private(set) var content: MessageContent
  private(set) var files: FileList
  /// What is kept under the keys of the files, except for the document.
  private(set) var facts: [StoredFile: Facts] = [:]
  /// What files of each variant say, and how many there are.
  private var variants: [UInt32: (content: MessageContent, count: Int)] = [:]

  /// What a file was like when it was read, and which variant of its message it is.
  struct Facts {
    let mark: FileMark
    let variant: UInt32
  }

  init(_ file: StoredFile, _ content: MessageContent, _ mark: FileMark) {
    self.content = content
    files = FileList([])
    add(file, content, mark)
  }

  /// Takes another file of it.
  mutating func add(_ file: StoredFile, _ content: MessageContent, _ mark: FileMark) {
    files.append(file)
    facts[file] = Facts(mark: mark, variant: content.variant)
    let known = variants[content.variant]
    variants[content.variant] = (known?.content ?? content, (known?.count ?? 0) + 1)
    if known == nil { merge() }
  }

  mutating func remove(_ file: StoredFile) {
    files.remove(file)
    guard let variant = facts.removeValue(forKey: file)?.variant, let known = variants[variant]
    else { return }
    variants[variant] = known.count > 1 ? (known.content, known.count - 1) : nil
    if known.count == 1 { merge() }
  }

  mutating func rename(_ file: StoredFile, to new: StoredFile) {
    if new != file { remove(new) }
    files.remove(file)
    files.append(new)
    facts[new] = facts.removeValue(forKey: file)
  }

  private mutating func merge() {
    if let merged = MessageContent.merged(variants.values.map(\.content)) { content = merged }
  }

  /// How many files there are of each variant; empty where all are of one.
  var counts: [UInt32: Int] { variants.count > 1 ? variants.mapValues(\.count) : [:] }
}
