package import MailModel
package import Configuration
package import Platform

extension Explanation {
  /// Why a message is not taken that is longer than a configuration lets it be, by its file.
  package init(tooLongFor limit: SizeLimit, _ file: Path, place: String? = nil) {
    self.init(
      .data,
      place: place,
      "the message is longer than \(limit.text)",
      hint: "message-size-limit in \(file.display) sets the limit"
    )
  }
}
