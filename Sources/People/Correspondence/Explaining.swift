package import MailModel

/// Does something that the system may refuse; its refusal becomes an error for people.
package func explaining<Value, Failure: Error & CustomStringConvertible>(
  _ status: ExitStatus,
  place: String? = nil,
  _ body: () throws(Failure) -> Value
) throws(Explanation) -> Value {
  do throws(Failure) {
    return try body()
  } catch {
    throw Explanation(status, place: place, error.description)
  }
}
