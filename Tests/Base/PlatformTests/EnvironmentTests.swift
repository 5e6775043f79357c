import Glibc
import Platform
import Testing

@Suite struct EnvironmentTests {
  @Test func variables() async {
    await #expect(processExitsWith: .success) {
      setenv("MAGNUM_TEST", "caf\u{e9}", 1)
      guard Environment.value("MAGNUM_TEST") == "caf\u{e9}",
        Environment.octets("MAGNUM_TEST") == Array("caf\u{e9}".utf8),
        Environment.value("MAGNUM_UNSET") == nil, Environment.octets("MAGNUM_UNSET") == nil
      else { exit(1) }
      exit(0)
    }
  }

  @Test func directoriesBelowHome() async {
    await #expect(processExitsWith: .success) {
      setenv("HOME", "/home/someone", 1)
      for name in ["CONFIG", "STATE", "CACHE"] { unsetenv("XDG_\(name)_HOME") }
      guard Environment.homeDirectory == Path("/home/someone"),
        Environment.configHome == Path("/home/someone/.config"),
        Environment.stateHome == Path("/home/someone/.local/state"),
        Environment.cacheHome == Path("/home/someone/.cache")
      else { exit(1) }
      exit(0)
    }
  }

  /// XDG Base Directory Specification: relative paths are to be ignored.
  @Test func relativeValuesDoNotCount() async {
    await #expect(processExitsWith: .success) {
      setenv("HOME", "/h", 1)
      setenv("XDG_CONFIG_HOME", "relative", 1)
      setenv("XDG_STATE_HOME", "/state", 1)
      setenv("XDG_CACHE_HOME", "", 1)
      guard Environment.configHome == Path("/h/.config"), Environment.stateHome == Path("/state"),
        Environment.cacheHome == Path("/h/.cache")
      else { exit(1) }
      setenv("HOME", "relative", 1)
      guard Environment.homeDirectory.isAbsolute, Environment.homeDirectory != Path("/h") else {
        exit(2)
      }
      exit(0)
    }
  }
}
