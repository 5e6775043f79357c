internal import Configuration
internal import Correspondence
internal import Login
internal import MailModel
internal import MailStore
internal import MIME
internal import Octets
internal import Platform
internal import SpoolPlan
internal import Web

extension UnsubscribeOffer.Way {
  /// The word that files and JSON have for it.
  var word: String {
    switch self {
    case .oneClick: "one-click"
    case .mail: "mail"
    case .web: "web"
    }
  }
}

/// How a list is left, all checked that can be checked before it is done.
enum UnsubscribeWay {
  /// One request, through the proxy of an account.
  case oneClick(OneClickRequest, ProxyRule)
  /// A message by the queue.
  case mail(UnsubscribeMail)
  /// A page that a person opens.
  case web([UInt8])

  /// - Throws: why the address is refused; that there is no account to send with.
  init(
    _ way: UnsubscribeOffer.Way,
    _ header: Header,
    _ account: Account,
    _ options: UnsubscribeCommand.Options,
    _ configuration: Configuration,
    _ decoder: CharsetDecoder
  ) throws(Explanation) {
    if case .mail = way {
    } else if options.from != nil {
      throw Explanation(.usage, "--from has no effect: no message is to be sent")
    }
    switch way {
    case .web(let address): self = .web(address)
    case .oneClick(let address):
      do throws(OneClick.Failure) {
        self = .oneClick(try OneClick().request(to: address), account.webProxy)
      } catch {
        throw error.explanation(address)
      }
    case .mail(let address):
      self = .mail(
        try UnsubscribeMail(address, header, account, from: options.from, configuration, decoder)
      )
    }
  }

  /// Whether the program itself can do it.
  var isDone: Bool { if case .web = self { false } else { true } }

  /// Where it goes.
  var address: [UInt8] {
    switch self {
    case .oneClick(let request, _): request.address.octets
    case .mail(let mail): mail.draft.to.flatMap(\.mailboxes).first?.address ?? []
    case .web(let address): address
    }
  }

  /// The address that a message comes from; nil where none is sent.
  var from: [UInt8]? {
    if case .mail(let mail) = self { mail.draft.from?.address } else { nil }
  }

  /// For people.
  var lines: [String] {
    let shown = Printable.text(address, limit: 500)
    switch self {
    case .oneClick(let request, _):
      return [
        "way: one request to \(Printable.text(request.address.host, limit: 300))",
        "address: \(shown)",
      ]
    case .mail(let mail):
      let subject = Printable.text(mail.draft.subject, limit: 200)
      return [
        "way: a message to \(shown)", "from: \(Printable.text(from ?? [], limit: 300))",
        "subject: \(subject)",
      ]
    case .web: return ["way: a page for a browser", "address: \(shown)"]
    }
  }

  /// What was done.
  struct Result {
    /// What is remembered: the status of the answer, or the entry of the queue.
    let record: String
    /// The message that is in the queue now; nil where none is sent.
    var queued: UnsubscribeMail.Queued?
  }

  /// Does it.
  ///
  /// - Throws: why it could not be done; then nothing is to be remembered.
  func carryOut() throws(Explanation) -> Result {
    switch self {
    case .oneClick(let request, let rule):
      Interruption.shared.watchSignals()
      let proxy = try Self.proxy(rule)
      do throws(OneClick.Failure) {
        let status = try OneClick().send(request, through: proxy, interruption: .shared)
        return Result(record: "\(status)")
      } catch {
        throw error.explanation(request.address.octets)
      }
    case .mail(let mail):
      let queued = try mail.enqueue()
      return Result(record: "\(queued.entry.id)", queued: queued)
    case .web: return Result(record: "open")
    }
  }

  private static func proxy(_ rule: ProxyRule) throws(Explanation) -> WebProxy {
    do throws(SecretError) {
      return try WebProxy(rule, interruption: .shared)
    } catch {
      throw Explanation(ExitStatus(error.need), error.message, hint: error.hint)
    }
  }
}
