internal import Glibc
package import Octets

/// Octets in a file without a name, in memory: what a program reads there is what can be read afterwards.
///
/// They are not in the memory of this process, which may need them while another program has its own.
package final class HeldOctets: OctetSource {
  private let file: FileOctets
  /// To be given to a program, which reads from the beginning once.
  let descriptor: Int32

  /// Those of a source, which is read once.
  ///
  /// - Throws: `SourceError` where they cannot be read, or there is no memory for them.
  package init(_ octets: any OctetSource) throws(SourceError) {
    do throws(SystemError) {
      let file = try ChildProcess.file(of: octets)
      descriptor = file.raw
      self.file = try FileOctets(file)
    } catch {
      let problem: SourceError.Problem =
        error.code == ESTALE ? .changed : .system(code: error.code)
      throw SourceError(problem, path: error.path?.octets)
    }
  }

  /// How many there are.
  package var count: Int { file.count }

  /// Those of a range, all of them; see `OctetSource`.
  package func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    try file.octets(in: range)
  }
}
