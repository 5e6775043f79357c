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
  ///   - interpolates: whether `%(name)s` stands for another value, and `%%` for a percent sign, as in offlineimap.
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
      close(&pending, file)
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
    close(&pending, file)
    if interpolates { interpolate() }
  }

  /// Puts values in place of their names, `%(base)s`: those of the same section, else those of `[DEFAULT]`.
  private mutating func interpolate() {
    let general = section("DEFAULT")?.set.rest ?? []
    for index in sections.indices {
      let own = sections[index].set.rest
      let values = Dictionary(
        (general + own).map { ($0.name.lowercased(), $0.value) },
        uniquingKeysWith: { $1 }
      )
      var set = DirectiveSet()
      for directive in own {
        var steps = 100
        if let value = Self.interpolated(directive.value, values, &steps) {
          set.append(
            Directive(
              file: directive.file,
              line: directive.line,
              name: directive.name,
              arguments: [value]
            )
          )
        } else {
          let text = "names a value that is not there: write it out"
          remarks.append(Remark(directive, .malformed, text))
        }
      }
      sections[index].set = set
    }
  }

  /// The value with all others in it; nil where one is missing, or names itself, or there are more than so many steps.
  private static func interpolated(
    _ value: String,
    _ values: [String: String],
    _ steps: inout Int
  ) -> String? {
    guard value.utf8.contains(ASCII.percent) else { return value }
    guard value.utf8.count < 10_000 else { return nil }
    var result = ""
    var rest = value[...]
    while let sign = rest.firstIndex(of: "%") {
      result += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      if rest.hasPrefix("%") {
        result += "%"
        rest = rest.dropFirst()
      } else if rest.hasPrefix("("), let end = rest.firstPlace(of: ")s") {
        let name = rest[..<end.lowerBound].dropFirst().lowercased()
        steps -= 1
        guard steps > 0, let raw = values[name], let inner = interpolated(raw, values, &steps),
          result.utf8.count + inner.utf8.count < 10_000
        else { return nil }
        result += inner
        rest = rest[end.upperBound...]
      } else {
        // Python refuses it; what people mean by it is the sign.
        result += "%"
      }
    }
    return result + rest
  }

  private mutating func open(_ line: ArraySlice<UInt8>, _ number: Int, _ file: ForeignFile) {
    guard let end = line.lastIndex(of: ASCII.closeBracket),
      let name = ForeignFile.text(line[(line.startIndex + 1)..<end])
    else { return remarks.append(file.malformed(number, "not a section")) }
    sections.append(Section(name: name, line: number))
  }

  private mutating func close(
    _ pending: inout (number: Int, name: String, value: [UInt8])?,
    _ file: ForeignFile
  ) {
    guard let (number, name, octets) = pending else { return }
    pending = nil
    guard !sections.isEmpty else {
      return remarks.append(file.malformed(number, "stands in no section"))
    }
    guard let value = ForeignFile.text(octets) else {
      return remarks.append(file.malformed(number, ForeignFile.notText))
    }
    sections[sections.count - 1].set.append(
      Directive(file: file.name, line: number, name: name, arguments: [value])
    )
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
