/// A header field of which only the first line was read.
struct FieldDraft {
  /// Where its first line begins.
  let start: Int

  /// How long its name is; 0 for a line that is no field.
  var nameLength = 0

  /// How far from its start the value begins.
  var bodyOffset = 0
}
