internal import JSON
internal import Octets
package import Web

/// Tokens as an authorization server gives them (RFC 6749 §5.1).
package struct TokenResponse: Hashable, Sendable {
  /// The access token: visible ASCII.
  package let accessToken: [UInt8]
  /// Seconds for which it is valid, 1 to a year; an hour where the server does not say.
  package let lifetime: Int64
  /// A refresh token, in place of the one before; nil where that stays, or where there is none.
  package private(set) var refreshToken: [UInt8]?
  /// What is granted, separated by spaces; nil: what was asked for.
  package let scope: [UInt8]?

  /// Reads the answer of a token endpoint.
  ///
  /// What may be missing from it (RFC 6749 §5.1) counts as missing where it is not what it has to be.
  ///
  /// - Throws: why there is no token in it.
  package init(_ reply: WebReply) throws(ReplyFailure) {
    let json = try ReplyFailure.checked(reply)
    guard let token = json.member("access_token")?.octets, Self.isToken(token) else {
      throw .malformed(member: "access_token")
    }
    guard let type = json.member("token_type")?.octets, type.equalsCaseless("bearer") else {
      throw .malformed(member: "token_type")
    }
    accessToken = token
    lifetime = (try? Self.seconds("expires_in", json)) ?? 3600
    refreshToken = try? Self.text("refresh_token", json, Self.isText)
    scope = try? Self.text("scope", json, Self.isText)
  }

  /// The same for a client that needs no refresh token.
  package var withoutRefreshToken: TokenResponse {
    var response = self
    response.refreshToken = nil
    return response
  }

  /// The refresh token of an answer in which the rest may be wrong; nil where there is none, or the answer is one of an error.
  package static func refreshToken(in reply: WebReply) -> [UInt8]? {
    guard let json = try? ReplyFailure.checked(reply) else { return nil }
    return try? text("refresh_token", json, isText)
  }

  /// What refresh tokens and scopes consist of (RFC 6749 appendix A): visible ASCII and spaces.
  private static func isText(_ octets: [UInt8]) -> Bool {
    octets.allSatisfy { $0 >= ASCII.space && $0 < ASCII.delete }
  }

  /// A token, a code or an id: it has an octet at least, and all are visible ASCII.
  static func isToken(_ octets: [UInt8]) -> Bool {
    !octets.isEmpty && octets.allSatisfy { $0 > ASCII.space && $0 < ASCII.delete }
  }

  static func text(
    _ name: String,
    _ json: JSONValue,
    _ isRight: ([UInt8]) -> Bool
  ) throws(ReplyFailure) -> [UInt8]? {
    switch json.member(name) {
    case nil, .null: return nil
    case .string(let text):
      let octets = [UInt8](text.utf8)
      if octets.isEmpty { return nil }
      guard isRight(octets) else { throw .malformed(member: name) }
      return octets
    case .boolean, .number, .array, .object: throw .malformed(member: name)
    }
  }

  /// A number of seconds from 1 to a year; some servers write it as a string.
  static func seconds(_ name: String, _ json: JSONValue) throws(ReplyFailure) -> Int64? {
    let text: String
    switch json.member(name) {
    case nil, .null: return nil
    case .number(let number): text = number
    case .string(let string): text = string
    case .boolean, .array, .object: throw .malformed(member: name)
    }
    guard let number = Double(text), number.isFinite, number >= 1 else {
      throw .malformed(member: name)
    }
    return Int64(min(number, 31_536_000))
  }
}

/// Why an answer of an authorization server holds nothing of what was asked for.
package enum ReplyFailure: Error, Hashable, Sendable {
  /// The server names an error.
  case refused(OAuthError)
  /// The server cannot answer now (429, 5xx, or an error that says so); seconds to wait, where it names them.
  case notNow(status: Int, retryAfter: Int64?)
  /// The answer is no JSON object; a redirect is none either, and is not followed.
  case unexpected(status: Int)
  /// A member of the answer is missing or is not what it has to be.
  case malformed(member: String)

  /// The JSON of an answer that is none of an error.
  static func checked(_ reply: WebReply) throws(ReplyFailure) -> JSONValue {
    if reply.status == 429 || reply.status >= 500 {
      throw .notNow(status: reply.status, retryAfter: reply.retryAfter)
    }
    guard let json = try? JSONValue(reply.body), case .object = json else {
      throw .unexpected(status: reply.status)
    }
    if let code = json.member("error")?.octets, !code.isEmpty {
      // Redacted before it is cut: half of a secret would not be found.
      let description = json.member("error_description")?.octets.map { reply.redacted($0) }
      let error = OAuthError(code: code, description: description)
      if error.meaning == .notNow {
        throw .notNow(status: reply.status, retryAfter: reply.retryAfter)
      }
      throw .refused(error)
    }
    guard (200...299).contains(reply.status) else { throw .unexpected(status: reply.status) }
    return json
  }
}
