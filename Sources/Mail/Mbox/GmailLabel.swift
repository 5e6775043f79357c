/// What Google's own labels stand for, in the languages in which it writes them.
enum GmailLabel: Hashable {
  case unread, opened, starred, draft
  /// Where a message lies; the folder says that.
  case place

  /// Nil for a label that a person made.
  init?(_ label: [UInt8]) {
    guard let known = Self.known[String(decoding: label, as: UTF8.self).lowercased()] else {
      return nil
    }
    self = known
  }

  private static let known: [String: GmailLabel] = {
    var known: [String: GmailLabel] = [:]
    for line in table {
      for name in line.names { known[name] = line.meaning }
    }
    return known
  }()

  /// In the order en, de, fr, es, it, pt, nl, ca, pl, ja, small letters.
  private static let table: [(meaning: GmailLabel, names: [String])] = [
    (
      .unread,
      [
        "unread", "ungelesen", "non lus", "non lu", "no leídos", "no leído", "da leggere",
        "non letto", "não lidas", "não lidos", "ongelezen", "no llegits", "nieprzeczytane", "未読",
      ]
    ),
    (
      .opened,
      [
        "opened", "geöffnet", "messages ouverts", "ouvert", "abierto", "abiertos", "aperti",
        "aperto", "aberto", "abertas", "geopend", "oberts", "otwarte", "開封済み",
      ]
    ),
    (
      .starred,
      [
        "starred", "markiert", "suivis", "messages suivis", "destacados", "con estrella",
        "speciali", "com estrela", "met ster", "destacats", "oznaczone gwiazdką", "スター付き",
      ]
    ),
    (
      .draft,
      [
        "draft", "drafts", "entwurf", "entwürfe", "brouillons", "brouillon", "borradores",
        "borrador", "bozze", "bozza", "rascunhos", "rascunho", "concepten", "esborranys",
        "wersje robocze", "下書き",
      ]
    ),
    (
      .place,
      [
        "inbox", "posteingang", "boîte de réception", "recibidos", "bandeja de entrada",
        "posta in arrivo", "caixa de entrada", "postvak in", "safata d'entrada", "odebrane",
        "受信トレイ", "sent", "gesendet", "messages envoyés", "enviados", "posta inviata", "inviati",
        "verzonden", "enviats", "wysłane", "送信済み", "trash", "papierkorb", "corbeille", "papelera",
        "cestino", "lixeira", "prullenbak", "paperera", "kosz", "ゴミ箱", "spam", "correu brossa",
        "迷惑メール", "archived", "archiviert", "messages archivés", "archivado", "archivados",
        "archiviati", "arquivado", "arquivadas", "gearchiveerd", "arxivats", "zarchiwizowane",
        "アーカイブ済み", "chat", "all mail",
      ]
    ),
  ]
}
