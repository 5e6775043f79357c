/// What is wrong with a query, and where.
package struct QueryError: Error, Hashable, Sendable {
  /// What may be wrong.
  package enum Problem: Hashable, Sendable {
    /// A quotation mark, brace or slash that opens and never closes.
    case unclosed(String)
    /// A parenthesis that opens and never closes.
    case unclosedParenthesis
    /// A parenthesis that closes and was never opened.
    case strayParenthesis
    /// An operator with nothing on one side: `and`, `not` …
    case missingOperand(String)
    /// A field without a value.
    case missingValue(String)
    /// A date that cannot be made out.
    case date
    /// A size that cannot be made out.
    case size
    /// Revisions that cannot be made out.
    case revision
    /// A thread id that is none.
    case thread
    /// A field in which regular expressions are of no use.
    case noPattern(String)
    /// A regular expression that is none; the words of the system for it.
    case pattern(String)
    /// A word that means nothing to a field, with the name of that; and those that it knows.
    case unknownValue(String, [String])
    /// A field that other programs have and this one has not.
    case foreignField(String)
    /// A name that no query has; and those that some have.
    case unknownName(String, [String])
    /// A query that calls itself.
    case circularName(String)
    /// A query by a name in which something is wrong.
    case inName(String, String)
    /// Deeper in parentheses than makes sense.
    case tooDeep
    /// An asterisk that is neither alone nor the end of a word.
    case star
    /// NEAR or ADJ with something behind the slash that is no number.
    case distance(String)
    /// A beginning of words that too many words have.
    case tooManyWords(limit: Int)
  }

  /// What is wrong.
  package let problem: Problem

  /// The octets of the query that are to blame; empty at the end where something is missing.
  package let place: Range<Int>

  package init(_ problem: Problem, _ place: Range<Int>) {
    self.problem = problem
    self.place = place
  }
}

extension QueryError: CustomStringConvertible {
  /// What is wrong, in words for the user.
  package var description: String {
    switch problem {
    case .unclosed(let mark): "this \(mark) is never closed"
    case .unclosedParenthesis: "this parenthesis is never closed"
    case .strayParenthesis: "this parenthesis closes nothing"
    case .missingOperand(let word): "\"\(word)\" needs something on both sides"
    case .missingValue(let name): "\"\(name):\" needs a value right behind the colon"
    case .date: "this is not a date"
    case .size: "a size is a range such as 10k..2M, 1M.. or ..500k"
    case .revision: "revisions are a range such as 10..20, 10.., ..20 or -10.., or one number"
    case .thread: "a thread is 16 hexadecimal digits, or a query in braces"
    case .noPattern(let name): "regular expressions do not work with \"\(name):\""
    case .pattern(let reason): "this regular expression is wrong: \(reason)"
    case .unknownValue(let name, let known):
      "\"\(name):\" knows \(known.joined(separator: ", "))"
    case .foreignField(let name):
      "\"\(name):\" means something to notmuch, but not here; see magnum-query(7)"
    case .unknownName(let name, let known):
      known.isEmpty
        ? "no query is called \"\(name)\": [search] in the configuration names queries"
        : "no query is called \"\(name)\"; there are: \(known.joined(separator: ", "))"
    case .circularName(let name): "\"query:\(name)\" calls itself"
    case .inName(let name, let what): "in \"query:\(name)\": \(what)"
    case .tooDeep: "parentheses go too deep"
    case .star: "a * stands alone, or at the end of a word"
    case .distance(let word): "\"\(word)/\" needs a number of words from 1 to 10000"
    case .tooManyWords(let limit): "more than \(limit) words begin so: write more letters"
    }
  }
}
