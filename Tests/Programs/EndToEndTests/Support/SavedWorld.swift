import TestSupport

/// Both sides of a stage, the server's mail too, saved under a name and put back as often as needed.
struct SavedWorld {
  let stage: Stage

  private var home: String { stage.program.home.path }
  private var mail: String { "\(stage.server.folder)/mail" }

  /// Saves what is there now.
  func save(_ name: String) throws {
    waitForServer()
    let script = """
      cd "$1"; rm -rf "saved-$2"; mkdir "saved-$2"
      for part in Mail .local .cache; do [ ! -e "$part" ] || cp -a "$part" "saved-$2/"; done
      cp -a "$3/$4" "saved-$2/server"
      """
    try Command.shell(script, [home, name, mail, stage.user])
  }

  /// Puts back what was saved, as if nothing had happened since.
  ///
  /// The directories stay what they are where they were there: other ones would be a restored backup to the program.
  func restore(_ name: String) throws {
    waitForServer()
    let script = """
      cd "$1"; rm -rf "$3/$4"
      for part in Mail .local .cache; do
        [ ! -e "$part" ] || find "$part" ! -type d -delete
        [ ! -e "$part" ] || find "$part" -depth -type d | while IFS= read -r directory; do
          [ -e "saved-$2/$directory" ] || rmdir "$directory"
        done
        [ ! -e "saved-$2/$part" ] || cp -a "saved-$2/$part" .
      done
      cp -a "saved-$2/server" "$3/$4"
      """
    try Command.shell(script, [home, name, mail, stage.user])
  }

  /// Waits until no process of the server has the user's mail open: one whose client was killed goes on to the
  /// end of what it was told.
  private func waitForServer() {
    let folder = "\(mail)/\(stage.user)/"
    _ = Stopwatch.wait(upTo: 10) { !Files.isOpen(below: folder, by: "imap") }
  }
}
