internal import MIME
internal import Octets

/// What a label of Google's own says of a message.
package enum GmailLabel: String, Hashable, Sendable, CaseIterable {
  case inbox, sent, draft, trash, spam, unread, opened, starred, archived
  /// Nothing: the label is dropped.
  case none
}

/// The labels that Google makes itself and writes in the language of the user, and those that a person adds.
///
/// All others were made by people.
package struct GmailLabels: Sendable {
  private var known = Self.table

  /// Those of ten languages.
  package init() {}

  /// Has a label say something of its messages; capital and small letters are the same.
  package mutating func add(_ name: String, _ meaning: GmailLabel) {
    known[name.lowercased()] = meaning
  }

  /// What a label says; nil for one that a person made.
  subscript(label: [UInt8]) -> GmailLabel? {
    known[String(decoding: label, as: UTF8.self).lowercased()]
  }

  /// The labels of a field X-Gmail-Labels.
  static func split(_ field: ArraySlice<UInt8>) -> [[UInt8]] {
    var labels: [[UInt8]] = [[]]
    var isQuoted = false
    // A label with a comma in it is quoted.
    for octet in EncodedWord.decode(field, CharsetDecoder { _, _ in nil }) {
      switch octet {
      case ASCII.quote: isQuoted.toggle()
      case ASCII.comma where !isQuoted: labels.append([])
      default: labels[labels.count - 1].append(octet)
      }
    }
    return labels.map { Array(HeaderLines.trimmed($0[...])) }.filter { !$0.isEmpty }
  }

  /// The names by their meaning, with small letters, in the order en, de, fr, es, it, pt, nl, ca, pl, ja.
  private static let table: [String: GmailLabel] = {
    let names: [(GmailLabel, String)] = [
      (
        .inbox,
        "inbox|posteingang|boîte de réception|recibidos|bandeja de entrada|posta in arrivo"
          + "|caixa de entrada|postvak in|safata d'entrada|safata d’entrada|odebrane|受信トレイ"
      ),
      (
        .sent,
        "sent|gesendet|messages envoyés|enviados|posta inviata|inviati|verzonden|enviats|wysłane"
          + "|送信済み|送信済みメール"
      ),
      (
        .draft,
        "draft|drafts|entwurf|entwürfe|brouillons|brouillon|borradores|borrador|bozze|bozza"
          + "|rascunhos|rascunho|concepten|esborranys|wersje robocze|下書き"
      ),
      (
        .trash,
        "trash|papierkorb|corbeille|papelera|cestino|lixeira|lixo|prullenbak|paperera|kosz|ゴミ箱"
      ),
      (.spam, "spam|correu brossa|迷惑メール"),
      (
        .unread,
        "unread|ungelesen|non lus|non lu|no leídos|no leído|da leggere|non letto|não lidas"
          + "|não lidos|ongelezen|no llegits|nieprzeczytane|未読"
      ),
      (
        .opened,
        "opened|geöffnet|messages ouverts|ouvert|abierto|abiertos|aperti|aperto|aberto|abertas"
          + "|geopend|oberts|otwarte|開封済み"
      ),
      (
        .starred,
        "starred|markiert|suivis|messages suivis|destacados|con estrella|speciali|com estrela"
          + "|met ster|destacats|oznaczone gwiazdką|スター付き"
      ),
      (
        .archived,
        "archived|archiviert|messages archivés|archivado|archivados|archiviati|arquivado"
          + "|arquivadas|gearchiveerd|arxivats|zarchiwizowane|アーカイブ済み"
      ),
      (.none, "chat|all mail"),
    ]
    var known: [String: GmailLabel] = [:]
    for (meaning, list) in names {
      for name in list.split(separator: "|") { known[String(name)] = meaning }
    }
    return known
  }()
}
