/// How the program ends; the numbers are those of sysexits(3).
///
/// Everything but `success` means: the message is not in the queue, and may be given again.
enum SendStatus: Int32, Error {
  /// The message is in the queue, durably, or was sent.
  case success = 0
  /// The command line is wrong, or names nobody to send to (EX_USAGE).
  case usage = 64
  /// The message or an address cannot be sent, or with `--wait` was refused (EX_DATAERR).
  case data = 65
  /// The message cannot be read (EX_NOINPUT).
  case noInput = 66
  /// There is no alias for a name, or no account for a sender (EX_NOUSER).
  case noUser = 67
  /// The system does not do what is needed (EX_OSERR).
  case system = 71
  /// The spool cannot be written (EX_CANTCREAT).
  case cannotCreate = 73
  /// Reading or writing failed (EX_IOERR).
  case inputOutput = 74
  /// Somebody else holds the spool too long (EX_TEMPFAIL).
  case tryAgain = 75
  /// The configuration is wrong (EX_CONFIG).
  case configuration = 78
}
