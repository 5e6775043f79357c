internal import Glibc
package import Octets

/// The octets of a file from some place to its end, read as they are asked for.
///
/// The file stays open: it may be renamed or removed meanwhile. As many octets are there as were when it was opened.
package final class FileOctets: OctetSource {
  private let file: Descriptor
  private let start: Int64

  /// How many there were when the file was opened.
  package let count: Int

  /// Those of a file behind its first `start` octets.
  ///
  /// - Throws: the error of fstat(2).
  package init(_ file: consuming Descriptor, from start: Int64 = 0) throws(SystemError) {
    count = Int(max(0, try file.status().size - start))
    self.file = file
    self.start = start
  }

  /// Those of a range, all of them; see `OctetSource`.
  ///
  /// - Throws: `SourceError` where the file cannot be read, or is shorter than it was.
  package func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    var octets = try read(range)
    while octets.count < range.count {
      let more = try read(range.lowerBound + octets.count..<range.upperBound)
      guard !more.isEmpty else { throw SourceError(.changed, path: file.path?.octets) }
      octets += more
    }
    return octets[...]
  }

  private func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    do throws(SystemError) {
      return try file.read(atMost: range.count, at: start + Int64(range.lowerBound))
    } catch {
      throw SourceError(.system(code: error.code), path: file.path?.octets)
    }
  }
}

extension SourceError: CustomStringConvertible {
  /// What is in the way, in one line: "read /home/me/x.pdf: Input/output error".
  package var description: String {
    let path = path.map { Path($0) }
    return switch problem {
    case .system(let code): "\(SystemError(operation: "read", path: path, code: code))"
    case .changed: "\(path?.display ?? "the message") was changed while it was read"
    }
  }
}

extension SystemError {
  /// What a closure reads of a source; that it was changed meanwhile counts as ESTALE.
  package static func reading<Value>(
    _ body: () throws(SourceError) -> Value
  ) throws(SystemError) -> Value {
    do {
      return try body()
    } catch {
      let path = error.path.map { Path($0) }
      switch error.problem {
      case .system(let code): throw SystemError(operation: "read", path: path, code: code)
      case .changed: throw SystemError(operation: "read", path: path, code: ESTALE)
      }
    }
  }
}
