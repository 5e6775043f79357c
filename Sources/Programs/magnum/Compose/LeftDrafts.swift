internal import CommandLine
internal import Correspondence
internal import GnuPG
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import SyncState
internal import Terminal

/// Drafts that programs left that did not come to their end; they are listed without a configuration, too.
struct LeftDrafts {
  private let context: CommandContext
  /// Tells what lacks attachments, of the files that drafts attach.
  private let partial: PartialFiles
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(_ context: CommandContext, _ partial: PartialFiles = .none) {
    self.context = context
    self.partial = partial
  }

  /// Prints them, one a line.
  ///
  /// What is encrypted is not decrypted for it.
  func list() -> ExitStatus {
    do throws(Explanation) {
      let left = try explaining(.partial) { () throws(SystemError) in try Composition.abandoned() }
      return left.reduce(.success) { status, composition in
        isListed(composition) ? status : .partial
      }
    } catch {
      return context.report(error)
    }
  }

  /// Prints a draft; reports one that cannot be read, and returns false then.
  private func isListed(_ composition: Composition) -> Bool {
    Self.reportRemoval(of: composition, context)
    do throws(Explanation) {
      let facts = try explaining(.partial) { () throws(SystemError) in try composition.facts() }
      Self.reportClearVersion(of: composition, facts, context)
      print(composition, facts, composition.isSecret ? nil : try read(composition).0)
      return true
    } catch {
      var unread = error
      let directory = composition.directory
      unread.place = Printable.text(directory.lastComponent)
      unread.hint = unread.hint ?? "its files are in \(directory.display)"
      context.report(unread)
      return false
    }
  }

  /// Says that clear text of an encrypted draft was there until it was opened now.
  static func reportRemoval(of composition: Composition, _ context: CommandContext) {
    guard composition.hasRemovedClearText else { return }
    context.console.writeNote(ComposeSession.clearTextRemoved)
  }

  /// Says that the folder for drafts has an encrypted draft in clear text: the program was ended before it could replace that.
  static func reportClearVersion(
    of composition: Composition,
    _ facts: Composition.Facts,
    _ context: CommandContext
  ) {
    guard hasClearVersion(composition, facts), let path = facts.draft else { return }
    context.report(
      place: (MessageFile(path).currentPath() ?? path).display,
      "the folder has the former text of an encrypted draft",
      hint: "magnum resume \(Printable.text(composition.directory.lastComponent)) replaces it"
    )
  }

  /// Whether the folder for drafts has an encrypted draft in clear text.
  static func hasClearVersion(_ composition: Composition, _ facts: Composition.Facts) -> Bool {
    guard composition.isSecret, let path = facts.draft else { return false }
    return (try? SecretDraft.isMissing(from: MessageFile(path))) ?? false
  }

  private func print(_ composition: Composition, _ facts: Composition.Facts, _ draft: Draft?) {
    let recovery = RecoveryFiles(of: composition)
    let name = composition.directory.lastComponent
    guard !context.globals.json else {
      var line = JSONLine()
      line.add("version", 1)
      line.add("name", octets: name)
      line.add("account", ifPresent: facts.account)
      line.add("subject", octets: draft?.subject ?? [UInt8](ascii: "[...]"))
      line.add("to", octets: draft.map { $0.to + $0.cc }?.map { AddressText.text([$0]) } ?? [])
      line.add("queuing", facts.isQueuing)
      if draft == nil { line.add("encrypted", true) }
      if !recovery.isEmpty { line.add("recovery", recovery.names) }
      return context.console.print(octets: line.octets)
    }
    let to = draft.map { Printable.text(AddressText.text($0.to), limit: 40) } ?? "(encrypted)"
    let subject = draft.map { Printable.text($0.subject, limit: 50) } ?? "[...]"
    let sent = facts.isQueuing ? "  (may have been sent)" : ""
    let left = recovery.isEmpty ? "" : "  (the editor left \(recovery.list))"
    context.console.print("\(Printable.text(name))  \(to)  \(subject)\(sent)\(left)")
  }

  /// The draft as its text says, and why that cannot be read where it is no draft, or names a file that is not there.
  ///
  /// - Throws: that it cannot be read, or decrypted.
  func read(
    _ composition: Composition
  ) throws(Explanation) -> (Draft, Composition.Facts, problem: Explanation?) {
    var problem: Explanation?
    var (draft, list) = try kept(composition)
    let reader = AttachmentReader(limit: .max, partial)
    draft.attachments = try list.attachments(draft.attachments) { reader.file(keptAs: $0) }
    let (text, facts) = try explaining(.partial) { () throws(SystemError) in
      (try composition.text(), try composition.facts())
    }
    if let text, !DraftText.isMissing(text) {
      do {
        let edited = try DraftText.parse(text, into: draft, decoder)
        draft = edited.draft
        for file in edited.files {
          draft.attachments.append(.file(try reader.file(TypedPath.path(file))))
        }
      } catch let mistake as DraftText.Problem {
        problem = Explanation(.data, mistake.text)
      } catch {
        problem = error as? Explanation
      }
    }
    return (draft, facts, problem)
  }

  /// The draft as it was before the editor, with the attachments in its message alone, and the list of all of them.
  private func kept(
    _ composition: Composition
  ) throws(Explanation) -> (Draft, AttachmentList) {
    guard composition.isSecret else {
      return try explaining(.partial) { () throws(SystemError) in try composition.draft(decoder) }
    }
    let sealed = try explaining(.partial) { () throws(SystemError) in try composition.sealed() }
    let tools = GnuPG(for: context)
    tools.beginMessage()
    let opened: SecretDraft.Opened
    do throws(SecretDraft.Failure) {
      opened = try SecretDraft.open(Message(sealed ?? []), decoder) { tools.answer($0) }
    } catch {
      var explanation = error.explanation
      // What was typed can be read without a key as long as it is there.
      if let text = composition.textFile, (try? FileSystem.status(text)) ?? nil != nil {
        let hint = "until power is cut, \(text.display) in memory has its text"
        explanation.hint = explanation.hint.map { "\($0); \(hint)" } ?? hint
      }
      throw explanation
    }
    return try Composition.draft(within: opened.content, decoder)
  }
}

/// The files that an editor left beside a draft, and what people can do with them.
struct RecoveryFiles {
  /// Their names, as text; none where they cannot be listed.
  let names: [String]

  private let directory: String

  init(of composition: Composition) {
    names = ((try? composition.recoveryFiles()) ?? []).map { Printable.text($0) }
    directory = composition.editorDirectory.display
  }

  var isEmpty: Bool { names.isEmpty }

  /// The names in a sentence.
  var list: String { names.joined(separator: ", ") }

  /// Says that there are some, and how they are used.
  func report(in context: CommandContext) {
    guard !isEmpty else { return }
    let hints = names.compactMap(Self.advice)
    context.report(
      place: directory,
      "the editor left \(list), perhaps with text that was not saved",
      hint: hints.first ?? "look at it before you discard the draft"
    )
  }

  /// How the editor that gave a file this name recovers a text from it; nil for other files.
  static func advice(_ name: String) -> String? {
    if name.hasPrefix("#"), name.hasSuffix("#") {
      return "open the draft again, then in Emacs: M-x recover-this-file"
    }
    if name.hasSuffix(".save") || name.holds(".save.") {
      return "open the draft again, then read the file into it (nano: Ctrl-R)"
    }
    if name.hasPrefix(".text.eml.sw") { return "open the draft again; vim offers to recover it" }
    return nil
  }
}
