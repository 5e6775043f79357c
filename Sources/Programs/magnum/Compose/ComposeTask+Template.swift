internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform

// Texts that a person keeps to begin messages with.
extension ComposeTask {
  /// How many octets a template may have.
  private static let templateLimit = 1 << 20

  /// Whether a word can be the name of a template: it is a file in one directory.
  static func isTemplateName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100
      && name.utf8.allSatisfy { octet in
        ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.minus
          || octet == ASCII.underscore
      }
  }

  private static func templates(of configuration: Configuration) -> Path {
    configuration.path.parent.appending("templates")
  }

  /// The names of all templates; none where they cannot be read.
  static func templateNames(_ configuration: Configuration) -> [[UInt8]] {
    var names: [[UInt8]] = []
    _ = try? FileSystem.entries(of: templates(of: configuration)) { name, kind in
      let name = [UInt8](name)
      let isName = isTemplateName(String(decoding: name, as: UTF8.self))
      if isName, kind != .directory { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The template that an option names; nil for none.
  ///
  /// - Throws: that there is none of that name, or that it is no draft.
  static func template(
    _ options: ComposeOptions,
    _ configuration: Configuration,
    _ decoder: CharsetDecoder
  ) throws(Explanation) -> DraftText.Edited? {
    guard let name = options.template else { return nil }
    let file = templates(of: configuration).appending(name)
    let text: [UInt8]
    do throws(SystemError) {
      text = try FileSystem.readExistingFile(file, limit: templateLimit)
    } catch {
      throw Explanation(.noInput, "no template \(name): \(error.description)")
    }
    do throws(DraftText.Problem) {
      return try DraftText.parse(text, into: Draft(), decoder)
    } catch {
      throw Explanation(.data, place: file.display, error.text)
    }
  }

  /// Puts the template into a draft, as far as nothing else says it.
  func useTemplate(_ start: inout ComposeStart) throws(Explanation) {
    guard let template else { return }
    guard start.isFresh || start.isGiven else {
      throw Explanation(.usage, "--use-template begins a message, and this one is written already")
    }
    let other = template.draft
    if options.to.isEmpty, options.cc.isEmpty, options.bcc.isEmpty, !start.draft.hasRecipients {
      (start.draft.to, start.draft.cc, start.draft.bcc) = (other.to, other.cc, other.bcc)
    }
    if start.draft.replyTo.isEmpty { start.draft.replyTo = other.replyTo }
    if start.draft.subject.isEmpty { start.draft.subject = other.subject }
    start.draft.from = start.draft.from ?? other.from
    start.draft.protection = start.draft.protection ?? other.protection
    start.draft.extra = extra(of: other, besides: start.draft) + start.draft.extra
    // What a program gives has taken in the text.
    if start.isFresh { start.draft.text = other.text }
    for file in template.files {
      let attached = try AttachmentReader(limit: .max, partial).file(TypedPath.path(file))
      start.draft.attachments.append(.file(attached))
      start.hasContent = true
    }
  }

  /// The further fields of a template that neither the draft nor an option has.
  private func extra(of template: Draft, besides draft: Draft) -> [Draft.ExtraField] {
    template.extra.filter { field in
      !draft.extra.contains { $0.name.equalsCaseless(field.name) }
        && !options.headers.contains { header in
          header.prefix { $0 != ":" }.utf8.elementsEqual(field.name) {
            ASCII.lowercased($0) == ASCII.lowercased($1)
          }
        }
    }
  }
}
