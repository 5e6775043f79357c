internal import Octets

/// How the server says that something went well or did not (RFC 9051 §7.1).
package struct StatusResponse: Hashable, Sendable {
  /// The word that begins the response.
  package enum Kind: Hashable, Sendable {
    /// `OK`, `NO`, `BAD`, `PREAUTH`, `BYE`.
    case ok, no, bad, preauth, bye
  }

  /// The word that begins the response.
  package let kind: Kind

  /// The code in brackets; `nil` when there is none.
  package let code: ResponseCode?

  /// The words for people, as the server wrote them; may be empty, may hold anything.
  ///
  /// Not fit for a terminal as it is. Secrets of a login under way are cut out of it.
  package let text: [UInt8]

  package init(kind: Kind, code: ResponseCode? = nil, text: [UInt8] = []) {
    self.kind = kind
    self.code = code
    self.text = text
  }
}

extension StatusResponse {
  /// The messages of a UID STORE that this, its tagged reply, says were changed if they exist.
  ///
  /// After OK: all but those that `[MODIFIED …]` names (RFC 7162 §3.1.3). After NO or BAD, or a
  /// MODIFIED that cannot be read, the reply vouches for none: with CONDSTORE each FETCH response
  /// that has a UID and a MODSEQ then still tells of one that was changed.
  package func stored(of uids: UIDSet) -> UIDSet {
    guard kind == .ok else { return UIDSet() }
    switch code {
    case .modified(let modified): return uids.subtracting(modified)
    case .other(let name, _) where name.equalsCaseless("MODIFIED"): return UIDSet()
    default: return uids
    }
  }
}
