/// What folders look like, which a scan has seen and not written: lost, it costs reading these folders once more.
package struct HeldFingerprints: Sendable {
  let metadata: [(key: String, value: [UInt8])]
}
