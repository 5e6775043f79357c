internal import Octets

/// An element of an XML document, with what is in it.
package struct XMLElement: Hashable, Sendable {
  /// Its name as it is written, with a prefix where it has one.
  package let name: String
  /// The values of its attributes by their names.
  package let attributes: [String: String]
  /// The elements in it, in their order.
  package let children: [XMLElement]
  /// The text in it but outside of its children, without white space at either end.
  package let text: String

  /// The children of that name.
  package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// The first child of that name; nil where there is none.
  package func child(named name: String) -> XMLElement? { children.first { $0.name == name } }
}

/// Why a text is no document that is read here.
package enum XMLProblem: Error, Hashable, Sendable {
  /// The system has no expat (libexpat.so.1), which reads documents.
  case noLibrary
  /// It is longer than ``XMLDocument/lengthLimit``.
  case tooLong
  /// Its elements lie deeper in each other than ``XMLDocument/depthLimit``.
  case tooDeep
  /// It declares a document type, in which entities could be declared.
  case documentType
  /// It is no XML, in this line, counted from 1; the words of expat.
  case malformed(line: Int, String)
}
