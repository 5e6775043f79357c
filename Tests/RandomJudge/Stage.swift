import Glibc
import MemoryStore

/// Where scenes are played.
enum Stage {
  /// The engine against a server in memory; each run in a process of its own where it is apart.
  case memory(SharedMail, isApart: Bool)
  /// The real program against a real server.
  case real

  /// The server's side of a scene whose files lie in a folder.
  func side(
    _ scene: SceneFile,
    _ abilities: MemoryAbilities,
    in folder: String,
    _ number: Int
  ) throws -> any ServerSide {
    switch self {
    case .memory(let mail, let isApart):
      return MemorySide(abilities, scene.ways, mail, isApart: isApart)
    case .real:
      let server = try RealServer.named(scene.set)
      return RealSide(server, user: "u\(getpid())x\(number)", try RunOutput(folder))
    }
  }

  var isReal: Bool {
    switch self {
    case .memory: false
    case .real: true
    }
  }
}
