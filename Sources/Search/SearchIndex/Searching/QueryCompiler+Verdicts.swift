internal import CXapian
internal import MIME
internal import MailModel

// What the servers that are trusted found out about senders.
extension QueryCompiler {
  /// The messages of a verdict: those in which the topmost of these servers says so.
  func verdict(_ name: [UInt8]) throws(IndexError) -> XapianQuery {
    guard let kind = SenderVerdict.Kind(rawValue: String(decoding: name, as: UTF8.self)),
      !servers.names.isEmpty
    else { return try .none() }
    var (found, above): ([XapianQuery], [XapianQuery]) = ([], [])
    for hops in 0...servers.hops {
      let isSo = try claims(kind, hops)
      // Of two copies, or two servers, that do not agree, the one that says no is heard.
      let contrary = kind == .pass ? try claims(.fail, hops) : []
      found.append(
        try .combine(
          MAGNUM_INDEX_AND_NOT,
          [
            try .combine(MAGNUM_INDEX_OR, isSo),
            try .combine(MAGNUM_INDEX_OR, above + contrary),
          ]
        )
      )
      for kind in [SenderVerdict.Kind.pass, .fail, .none] { above += try claims(kind, hops) }
    }
    return try .combine(MAGNUM_INDEX_OR, found)
  }

  private func claims(
    _ kind: SenderVerdict.Kind,
    _ hops: Int
  ) throws(IndexError) -> [XapianQuery] {
    var claims: [XapianQuery] = []
    for server in servers.names {
      let term = Schema.verdict(VerdictClaim(kind, hops: hops, server: server))
      claims.append(try .term(term, database))
    }
    return claims
  }
}
