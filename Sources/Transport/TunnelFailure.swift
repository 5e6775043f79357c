package import Platform

/// Why a command that stands for a connection is of no use.
package enum TunnelFailure: Hashable, Sendable {
  /// The command could not be started.
  case start(SystemError)

  /// The command ended with a status other than 0.
  case ended(ChildProcess.Status)
}
