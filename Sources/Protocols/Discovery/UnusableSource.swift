/// Why a source that describes servers names none that can be used for reading.
package enum UnusableSource: Error, Hashable, Sendable {
  /// It is no description of servers.
  case notAFile
  /// The system has no expat (libexpat.so.1), which such descriptions are read with.
  case noExpat
  /// It names no server for IMAP.
  case noIMAP
  /// The server is reached without TLS only.
  case noTLS(host: String)
  /// The host is no name of a server on the Internet.
  case badHost(String)
  /// No way to log in is supported; those that the source names.
  case noLogin([String])
  /// Port or user name make no sense.
  case malformed
}
