package import Octets

/// A message that is being written: what a person gives, as octets that nothing on the way has to change.
///
/// Its lines end with LF, none has more than 998 octets or CR or NUL in it; no field is left for a later program to add.
package struct OutgoingMessage: Sendable {
  /// The fields in their order, without those that say how the body is written.
  package var fields: [OutgoingField]

  /// The text and what is attached to it, in their order.
  package var parts: [OutgoingPart]

  package init(fields: [OutgoingField], parts: [OutgoingPart]) {
    self.fields = fields
    self.parts = parts
  }

  /// The message.
  ///
  /// - Parameter token: letters and digits for a boundary; another one is made of it where it occurs in a part.
  /// - Returns: its octets; those of attached files are read, and encoded, as they are asked for.
  /// - Throws: `SourceError` where what is attached cannot be read.
  package func octets(token: [UInt8]) throws(SourceError) -> any OctetSource {
    let version = OutgoingField([UInt8](ascii: "MIME-Version"), words: [[UInt8](ascii: "1.0")])
    return try octets(fields + [version], [], token)
  }

  /// The message as an entity that is a part of another message.
  ///
  /// - Parameters:
  ///   - parameters: more ones of its Content-Type.
  ///   - token: as of `octets`.
  /// - Returns: its octets.
  /// - Throws: `SourceError` where what is attached cannot be read.
  package func entity(
    _ parameters: [[UInt8]],
    token: [UInt8]
  ) throws(SourceError) -> any OctetSource {
    try octets(fields, parameters, token)
  }

  private func octets(
    _ fields: [OutgoingField],
    _ parameters: [[UInt8]],
    _ token: [UInt8]
  ) throws(SourceError) -> any OctetSource {
    let header = fields.flatMap(\.octets)
    if parts.count == 1 {
      let part = parameters.isEmpty ? parts[0] : parts[0].adding(parameters)
      if let part { return try alone(header, part) }
    }
    let mixed = OutgoingMultipart(
      [UInt8](ascii: "multipart/mixed"),
      parameters,
      parts,
      token: token
    )
    let boundary = try mixed.boundary()
    var result = JoinedOctets()
    result.append(header + mixed.fields(boundary).flatMap(\.octets) + [ASCII.lineFeed])
    mixed.write(to: &result, boundary)
    return result
  }

  /// A message of one part, which ends with a line end.
  private func alone(
    _ header: [UInt8],
    _ part: OutgoingPart
  ) throws(SourceError) -> any OctetSource {
    let start = header + part.header
    let last =
      try part.body.octets(in: max(0, part.body.count - 1)..<part.body.count).last ?? start.last
    let end: [UInt8] = last == ASCII.lineFeed ? [] : [ASCII.lineFeed]
    return JoinedOctets([start, part.body, end])
  }
}

extension OutgoingPart {
  /// Its fields and the empty line behind them.
  var header: [UInt8] { fields.flatMap(\.octets) + [ASCII.lineFeed] }
}
