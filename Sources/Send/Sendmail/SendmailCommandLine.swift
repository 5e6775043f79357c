internal import Octets
internal import SMTP

/// Reads the command line of sendmail: single letters in clusters, values glued to them or not.
package struct SendmailCommandLine {
  private var request = SendmailRequest()
  private var rest: ArraySlice<[UInt8]>

  private init(_ arguments: ArraySlice<[UInt8]>) {
    rest = arguments
  }

  /// What a command line asks for.
  ///
  /// - Parameters:
  ///   - name: the name by which the program was called, perhaps with its directory: `mailq`,
  ///     `newaliases` and `runq` mean something; all others are sendmail's.
  ///   - arguments: what follows it.
  /// - Returns: the request.
  /// - Throws: `UsageError` for what is not understood; nothing may be done then.
  package static func parse(
    name: [UInt8],
    _ arguments: [[UInt8]]
  ) throws(UsageError) -> SendmailRequest {
    var line = SendmailCommandLine(arguments[...])
    switch name.split(separator: ASCII.slash).last ?? [] {
    case let base where base.elementsEqual("mailq".utf8): line.request.mode = .listQueue
    case let base where base.elementsEqual("newaliases".utf8): line.request.mode = .rebuildAliases
    case let base where base.elementsEqual("runq".utf8):
      line.request.mode = .runQueue(matching: nil)
    default: break
    }
    try line.parse()
    return line.request
  }

  /// Whether a program that is called so, without its directory, is sendmail.
  package static func isName(_ name: [UInt8]) -> Bool {
    [
      "sendmail", "send-mail", "mailq", "newaliases", "runq", "magnum-send",
    ].contains { name.elementsEqual($0.utf8) }
  }

  private mutating func parse() throws(UsageError) {
    while let argument = rest.popFirst() {
      if argument.elementsEqual("--".utf8) { break }
      if argument.starts(with: [ASCII.minus, ASCII.minus]) {
        try takeLong(argument)
      } else if argument.first == ASCII.minus, argument.count > 1 {
        try takeCluster(argument)
      } else {
        request.recipients.append(argument)
        return try takeRecipients()
      }
    }
    request.recipients += rest
  }
}

// Recipients.
extension SendmailCommandLine {
  /// Takes what is behind the first recipient.
  ///
  /// An option there would be lost, or be taken for a name; only an address may begin with a dash.
  private mutating func takeRecipients() throws(UsageError) {
    for argument in rest where argument.first == ASCII.minus && argument.count > 1 {
      let isLong = argument.starts(with: [ASCII.minus, ASCII.minus])
      guard !isLong, argument.contains(ASCII.at) else { throw .optionBehindRecipient(argument) }
    }
    request.recipients += rest
  }
}

// Options of sendmail.
extension SendmailCommandLine {
  private mutating func takeCluster(_ argument: [UInt8]) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard try takeFlag(letter) == false else { continue }
      return try takeOption(letter, glued: letters)
    }
  }

  /// Takes a letter that stands alone, so that others may follow it; `false` for any other.
  private mutating func takeFlag(_ letter: UInt8) throws(UsageError) -> Bool {
    switch UnicodeScalar(letter) {
    case "i": request.ignoresDots = true
    case "t": request.readsRecipients = true
    case "v": request.isVerbose = true
    case "I": request.mode = .rebuildAliases
    case "P": request.isDryRun = true
    case "S": request.mode = .showServer
    // The old ways of sendmail that change nothing here.
    case "E", "G", "U", "c", "m", "n", "s", "x": break
    default: return false
    }
    return true
  }

  private mutating func takeOption(
    _ letter: UInt8,
    glued: ArraySlice<UInt8>
  ) throws(UsageError) {
    let option = [ASCII.minus, letter]
    switch UnicodeScalar(letter) {
    case "q": try runQueue(glued)
    // Their values can only be glued to them.
    case "d", "A", "T": break
    case "f", "r": request.sender = SendmailRequest.Sender(try value(option, glued))
    case "F": request.fullName = try value(option, glued)
    case "b": try takeMode(try value(option, glued))
    case "o":
      let setting = try value(option, glued)
      // Those of Exim that have their values behind them.
      if Self.originSettings.contains(where: setting.elementsEqual) {
        _ = try value(option + setting, [])
      }
      try takeSetting(setting)
    // An old way to write -oe.
    case "e": try takeSetting([letter] + value(option, glued))
    case "N": request.notification = try Self.notification(try value(option, glued))
    case "R": request.returned = try Self.returned(try value(option, glued))
    case "V": request.identifier = try value(option, glued)
    case "L": request.label = try value(option, glued)
    case "a": request.account = try value(option, glued)
    case "C": request.configuration = try value(option, glued)
    // Ignored with their values: body type, hop count, protocol, log file, long settings, …
    case "B", "D", "M", "O", "X", "h", "p": _ = try value(option, glued)
    default: throw .unknownOption(option)
    }
  }

  /// What Exim is told of the origin of a message.
  private static let originSettings = ["Ma", "Maa", "Mai", "Mas", "Mi", "Mm", "Mr", "Ms", "Mt"]
    .map { [UInt8]($0.utf8) }

  /// The value of an option: glued to it, or the next argument.
  private mutating func value(
    _ option: [UInt8],
    _ glued: ArraySlice<UInt8>
  ) throws(UsageError) -> [UInt8] {
    if !glued.isEmpty { return [UInt8](glued) }
    guard let next = rest.popFirst() else { throw .missingValue(option) }
    return next
  }

  private mutating func takeMode(_ value: [UInt8]) throws(UsageError) {
    let option = [UInt8](ascii: "-b") + value
    switch value.first.map(UnicodeScalar.init) {
    case "m": request.mode = .deliver
    case "p": request.mode = .listQueue
    case "i": request.mode = .rebuildAliases
    case "v": request.mode = .verify
    default: throw .unsupported(option)
    }
  }

  private mutating func takeSetting(_ value: [UInt8]) throws(UsageError) {
    switch String(decoding: value.prefix(2), as: UTF8.self) {
    case "i", "it": request.ignoresDots = true
    case "di": request.delivery = .awaited
    case "dq", "dd": request.delivery = .queued
    case "db": request.delivery = .attempted
    case "eq": request.isQuiet = true
    // Error modes, alias files and all else that sendmail knows: not ours to heed.
    default: break
    }
  }

  /// `-q` alone, with a time (as for a daemon, which this is not: once then), or with what to choose.
  private mutating func runQueue(_ glued: ArraySlice<UInt8>) throws(UsageError) {
    guard glued.first == UInt8(ascii: "I") else {
      request.mode = .runQueue(matching: nil)
      return
    }
    request.mode = .runQueue(matching: [UInt8](glued.dropFirst()))
  }

  private static func notification(_ value: [UInt8]) throws(UsageError) -> Notification {
    if value.equalsCaseless("never") { return .never }
    var result: Notification = []
    for word in value.split(separator: ASCII.comma) {
      if word.equalsCaseless("success") {
        result.insert(.success)
      } else if word.equalsCaseless("failure") {
        result.insert(.failure)
      } else if word.equalsCaseless("delay") {
        result.insert(.delay)
      } else {
        throw .badValue(option: [UInt8](ascii: "-N"), value)
      }
    }
    return result
  }

  private static func returned(_ value: [UInt8]) throws(UsageError) -> ReturnedContent {
    if value.equalsCaseless("full") { return .full }
    if value.equalsCaseless("hdrs") || value.equalsCaseless("headers") { return .headers }
    throw .badValue(option: [UInt8](ascii: "-R"), value)
  }
}

// Options of our own.
extension SendmailCommandLine {
  private mutating func takeLong(_ argument: [UInt8]) throws(UsageError) {
    let parts = argument.split(
      separator: ASCII.equals,
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    let name = [UInt8](parts[0])
    let glued = parts.count > 1 ? [UInt8](parts[1]) : nil
    guard let option = LongOption.all.first(where: { $0.name.utf8.elementsEqual(name) }) else {
      throw .unknownOption(name)
    }
    if option.value == nil { try refuse(glued, name) }
    option.apply(&request, option.value == nil ? [] : try longValue(name, glued))
  }

  private mutating func longValue(
    _ name: [UInt8],
    _ glued: [UInt8]?
  ) throws(UsageError) -> [UInt8] {
    if let glued { return glued }
    guard let next = rest.popFirst() else { throw .missingValue(name) }
    return next
  }

  private func refuse(_ glued: [UInt8]?, _ name: [UInt8]) throws(UsageError) {
    if glued != nil { throw .unexpectedValue(name) }
  }
}
