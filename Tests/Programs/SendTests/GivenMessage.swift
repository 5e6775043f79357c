import TestSupport
import Testing

/// A message as a caller hands it over, or as it arrives: lines, each CR LF as LF.
struct GivenMessage {
  let header: [String]
  let body: [String]

  init(_ octets: [UInt8]) {
    let lines = String(decoding: octets.filter { $0 != 13 }, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" }
    let end = lines.firstIndex(of: "") ?? lines.endIndex
    header = Array(lines[..<end])
    // The end of the last line is added where there is none.
    let body = lines[end...].dropFirst()
    self.body = Array(body.last == "" ? body.dropLast() : body)
  }

  /// Checks that a message arrived as it was handed over, except for what magnum-send(1) says is done to it: Bcc goes, and
  /// fields that a message must have are added.
  ///
  /// - Parameters:
  ///   - message: what arrived.
  ///   - from: the field From that it is to have; nil for the one that was handed over, or whatever is added.
  ///   - root: what the name `root` in To means; nil where it stays.
  func expectArrived(_ message: SMTPSink.Message, from: String? = nil, root: String? = nil) {
    let arrived = GivenMessage(Array(message.text.utf8))
    #expect(arrived.body == body)
    let kept = visibleHeader.map { line in
      if let from, line.hasPrefix("From:") {
        "From: \(from)"
      } else if let root, line == "To: root" {
        "To: \(root)"
      } else {
        line
      }
    }
    #expect(Array(arrived.header.prefix(kept.count)) == kept)
    let added = arrived.header.dropFirst(kept.count).map { String($0.prefix { $0 != ":" }) }
    #expect(
      Set(added).isSubset(of: ["From", "Date", "Message-ID"]) && Set(added).count == added.count
    )
    for name in ["From", "Date", "Message-ID"] {
      let count = arrived.header.count { $0.lowercased().hasPrefix(name.lowercased() + ":") }
      #expect(count == 1, "\(name): \(arrived.header)")
    }
    if let from { #expect(arrived.header.contains("From: \(from)"), "\(arrived.header)") }
  }

  /// The lines of the header without those of Bcc.
  private var visibleHeader: [String] {
    var isHidden = false
    return header.filter { line in
      if !(line.hasPrefix(" ") || line.hasPrefix("\t")) {
        isHidden = line.lowercased().hasPrefix("bcc:")
      }
      return !isHidden
    }
  }
}
