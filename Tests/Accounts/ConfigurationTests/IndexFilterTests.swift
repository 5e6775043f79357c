import Configuration
import Testing

/// The filters for attachments that a file has.
@Suite struct IndexFilterTests {
  private static let account = "[account.a]\nmaildir = \"/mail\"\n"

  @Test func filtersAreInTheOrderOfTheFile() throws {
    let home = try ConfigurationHome()
    try home.write(
      Self.account + """
        [index-filter]
        "image/*" = ["ocr", "a b"]
        "Application/PDF" = ["pdftotext", "-", "-"]
        """
    )
    let settings = try home.load().indexFilters
    #expect(settings.filters.all.map(\.type) == ["image/*", "application/pdf"])
    #expect(settings.filters.all.map(\.command) == [["ocr", "a b"], ["pdftotext", "-", "-"]])
    #expect(!settings.isUnconfined)
  }

  @Test func keysWithDotsAreTheSame() throws {
    let home = try ConfigurationHome()
    try home.write(
      "index-filter-unconfined = true\nindex-filter.\"a/b\" = [\"c\"]\n" + Self.account
    )
    let settings = try home.load().indexFilters
    #expect(settings.isUnconfined && settings.filters.all.map(\.command) == [["c"]])
  }

  @Test func withoutTheSectionThereIsNone() throws {
    let home = try ConfigurationHome()
    try home.write(Self.account)
    #expect(try home.load().indexFilters.filters.isEmpty)
  }
}
