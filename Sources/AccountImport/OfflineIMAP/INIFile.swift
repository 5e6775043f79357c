internal import Octets

/// Sections with names and values, as Python's configparser reads them.
struct INIFile {
  /// A section with its name.
  struct Section {
    let name: String
    let line: Int
    var set = DirectiveSet()
  }

  private(set) var sections: [Section] = []
  private(set) var remarks: [Remark] = []

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - interpolates: whether `%%` stands for a percent sign, as in offlineimap.
  init(_ file: ForeignFile, interpolates: Bool) {
    // The lines of a value that goes on are joined before it is looked at.
    var pending: (number: Int, name: String, value: [UInt8])?
    for (number, line) in file.lines {
      let isContinued = line.first.map(ASCII.isBlank) ?? false
      let text = Self.trimmed(line)
      if text.isEmpty || [ASCII.hash, ASCII.semicolon].contains(text.first) { continue }
      if isContinued, pending != nil {
        pending?.value += [ASCII.space] + text
        continue
      }
      close(&pending, file, interpolates)
      if text.first == ASCII.openBracket {
        open(text, number, file)
      } else if let end = text.firstIndex(where: { $0 == ASCII.equals || $0 == ASCII.colon }),
        let name = ForeignFile.text(Self.trimmed(text[..<end]))
      {
        pending = (number, name, Array(Self.trimmed(text[(end + 1)...])))
      } else {
        remarks.append(file.malformed(number, "neither a section nor a name with a value"))
      }
    }
    close(&pending, file, interpolates)
  }

  private mutating func open(_ line: ArraySlice<UInt8>, _ number: Int, _ file: ForeignFile) {
    guard let end = line.lastIndex(of: ASCII.closeBracket),
      let name = ForeignFile.text(line[(line.startIndex + 1)..<end])
    else { return remarks.append(file.malformed(number, "not a section")) }
    sections.append(Section(name: name, line: number))
  }

  private mutating func close(
    _ pending: inout (number: Int, name: String, value: [UInt8])?,
    _ file: ForeignFile,
    _ interpolates: Bool
  ) {
    guard let (number, name, octets) = pending else { return }
    pending = nil
    guard !sections.isEmpty else {
      return remarks.append(file.malformed(number, "stands in no section"))
    }
    guard let value = ForeignFile.text(octets) else {
      return remarks.append(file.malformed(number, ForeignFile.notText))
    }
    let isInterpolated = interpolates && value.contains("%")
    let plain =
      isInterpolated
      ? value.split(separator: "%%", omittingEmptySubsequences: false).joined(separator: "%")
      : value
    let directive = Directive(file: file.name, line: number, name: name, arguments: [plain])
    if isInterpolated, value.contains("%(") {
      let text = "a value made of other values: write it out"
      return remarks.append(Remark(directive, .notRun, text))
    }
    sections[sections.count - 1].set.append(directive)
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: ASCII.isBlank)
    while let last = text.last, ASCII.isBlank(last) { text.removeLast() }
    return text
  }

  /// The section of that name, as it was written.
  func section(_ name: String) -> Section? {
    sections.last { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
