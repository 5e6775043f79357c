internal import Platform

/// One of the programs of the suite, which are one file that is called by several names.
package struct SuiteProgram {
  /// The name by which it is called.
  package let name: String
  /// Does what the arguments behind the name ask for, and ends the process.
  package let main: (_ arguments: [[UInt8]]) -> Never

  package init(_ name: String, main: @escaping (_ arguments: [[UInt8]]) -> Never) {
    self.name = name
    self.main = main
  }

  /// A program of commands and options as `CommandDefinition` describes them.
  package init(_ command: @autoclosure @escaping () -> CommandDefinition, named name: String) {
    self.init(name) { Program(command(), version: Version.text(of: name)).main($0) }
  }
}
