internal import CommandLine
internal import Configuration
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import Submission

// What a person gives as the new version.
extension QueueEdit {
  /// Puts the new version into the queue, with HTML of its text where the former one had some.
  func put(
    _ message: any OctetSource,
    hadHTML: Bool,
    _ html: QueueHTML,
    _ item: QueuedItem,
    _ outbox: Outbox,
    _ revision: Revision
  ) throws(SpoolError) -> ExitStatus {
    let new: any OctetSource
    do throws(Explanation) {
      new = try html.remade(message, hadHTML: hadHTML)
    } catch {
      return queue.command.report(error)
    }
    return try put(new, item, outbox, revision)
  }

  func sender(of item: QueuedItem) -> Sender? {
    (try? queue.command.configuration())?.sender(named: item.spool.account)
  }

  var limit: SizeLimit {
    (try? queue.command.configuration())?.messageSizeLimit ?? .standard
  }

  func read(_ file: String) throws(Explanation) -> any OctetSource {
    let path = Path(file == "-" ? "/dev/stdin" : file)
    let input: Descriptor
    do throws(SystemError) {
      input = try Descriptor.open(path, .read.orPipe)
    } catch {
      throw SpoolError.system(error).explanation
    }
    let message: any OctetSource
    do throws(MessageInput.Failure) {
      message = try MessageInput.read(input, limit: limit.octets)
    } catch {
      switch error {
      case .unreadable(let error), .notStored(let error): throw SpoolError.system(error).explanation
      case .tooLong: throw Explanation(tooLongFor: limit, settings, place: path.display)
      }
    }
    guard message.count > 0 else {
      throw Explanation(.data, place: path.display, "there is no message in it")
    }
    return message
  }

  private var settings: Path {
    (try? queue.command.configuration())?.path ?? ConfigurationEnvironment.systemFile
  }
}
