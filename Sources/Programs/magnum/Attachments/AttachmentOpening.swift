internal import MailModel
internal import CommandLine
internal import Correspondence
internal import Glibc
internal import MIME
internal import Octets
internal import Platform
internal import Terminal

/// Opens an attachment with the program that the user has for its type.
struct AttachmentOpening {
  private let item: AttachmentsTask.Item
  private let content: any OctetSource
  private let context: CommandContext

  /// Opens a part that holds `content`.
  init(_ item: AttachmentsTask.Item, _ content: any OctetSource, _ context: CommandContext) {
    self.item = item
    self.content = content
    self.context = context
  }

  /// The media type, by the name where the mail says nothing, or something that no type is called: programs give the type to a
  /// shell, too.
  private var type: FileType {
    if item.isMessage { return .message }
    let told = FileType(item.type)
    if let told, told != .unknown, told.isPlain { return told }
    return FileType.of(name: item.name) ?? .unknown
  }

  /// A name that says nothing but the type: programs may give what is in a name to a shell.
  private var name: [UInt8] {
    [UInt8]("part-\(item.number).\(type.ending ?? "bin")".utf8)
  }

  func openAttachment() throws(Explanation) -> ExitStatus {
    guard isHarmless || isWanted else { return .partial }
    let directory = try makeDirectory()
    let path = try explaining(.cannotCreate) { () throws(SystemError) in
      try AttachmentFile(content, name: name).save(in: directory)
    }
    guard let opener = Self.opener() else {
      throw Explanation(
        .system,
        "there is no program that opens files",
        hint: "install mailcap (run-mailcap) or xdg-utils (xdg-open)"
      )
    }
    let type = opener.takesType ? type.octets + [ASCII.colon] : []
    let status = try? ChildProcess.runAtTerminal(
      .arguments([opener.program]),
      operand: type + path.octets
    )
    guard status == .exited(0) else {
      throw Explanation(.partial, "\(opener.program) failed")
    }
    return .success
  }

  // MARK: What can run

  /// Endings of files that are programs, or that programs run for their readers: a browser runs the scripts of HTML and SVG.
  private static let running: Set<String> = [
    "app", "appimage", "bat", "cmd", "com", "csh", "deb", "desktop", "docm", "exe", "hta", "htm",
    "html", "jar", "js", "jse", "lnk", "mht", "mhtml", "msi", "pif", "pl", "ps1", "py", "rb", "rpm",
    "run", "scr", "sh", "shtml", "svg", "svgz", "url", "vbs", "wsf", "xht", "xhtml", "xlsm",
  ]

  private static let runningTypes: Set<String> = [
    "application/x-executable", "application/x-msdownload", "application/x-desktop",
    "application/x-sh", "application/javascript", "text/javascript", "text/x-shellscript",
    "text/x-python", "application/java-archive", "application/x-msdos-program", "text/html",
    "application/xhtml+xml", "image/svg+xml",
  ]

  private var isHarmless: Bool {
    let ending = FileType.ending(of: item.name) ?? ""
    return !Self.running.contains(ending)
      && !Self.runningTypes.contains(String(decoding: type.octets, as: UTF8.self))
  }

  private var isWanted: Bool {
    context.report("\(Printable.text(item.name)) can run a program, which may do anything")
    return context.console.confirm("open it?")
  }

  // MARK: Where, and with what

  /// A directory that only the user can enter, for as long as the program reads the file.
  private func makeDirectory() throws(Explanation) -> Path {
    let place = Environment.runtimeDirectory ?? Environment.temporaryDirectory
    return try explaining(.cannotCreate) { () throws(SystemError) in
      try FileSystem.makeTemporaryDirectory(in: place, prefix: "magnum-open-")
    }
  }

  private static func opener() -> (program: String, takesType: Bool)? {
    for (program, takesType) in [("run-mailcap", true), ("xdg-open", false), ("open", false)]
    where Environment.hasProgram(program) {
      return (program, takesType)
    }
    return nil
  }
}
