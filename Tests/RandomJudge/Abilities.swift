import MemoryStore

/// The sets of capabilities, by name.
enum Abilities {
  static let names = [
    "full", "noobjectid", "noqresync", "nocondstore", "nouidplus", "nomove", "nostatus", "courier",
    "bare", "nonext", "copies", "uploads",
  ]

  /// What a server of this set can do; nil for a name that is none.
  static func named(_ name: String) -> MemoryAbilities? {
    var abilities = MemoryAbilities()
    switch name {
    case "full": break
    case "noobjectid": abilities.tellsMailboxIDs = false
    case "noqresync": abilities.tellsVanished = false
    case "nocondstore":
      abilities.tellsVanished = false
      abilities.hasModSequences = false
    case "nouidplus": abilities.hasUIDPlus = false
    case "nomove": abilities.movesAtOnce = false
    case "nostatus":
      abilities.listsStatus = false
      abilities.tellsUses = false
    case "courier":
      abilities = .bare
      abilities.hasUIDPlus = true
      abilities.keepsValidity = false
    case "cyrus": break
    case "bare": abilities = .bare
    case "nonext":
      abilities.tellsVanished = false
      abilities.hasModSequences = false
      abilities.hidesNext = true
    case "copies":
      abilities.movesAtOnce = false
      abilities.hasUIDPlus = false
      abilities.changesCopies = true
    case "uploads": abilities.changesUploads = true
    default: return nil
    }
    return abilities
  }
}
