public import QwinkleModel
public import QwinkleService
import Timekeeping

extension OtherServers {
  /// Fetches the public thread around the qwink at `address` from its author's server.
  ///
  /// - Throws: ``ForeignThreadError``, with a sentence for the user.
  public func thread(around address: WebAddress) async throws(ForeignThreadError) -> ForeignThread {
    let host = address.hostName.words
    guard let id = ForeignThread.id(in: address) else { throw .notReadable(host: host) }
    let thread: QwinkThread?
    do throws(DownloadError) {
      thread = try await answer(to: .thread(id), from: address)
    } catch {
      throw ForeignThreadError(error, host: host)
    }
    guard let thread else { throw .notReadable(host: host) }
    return ForeignThread(host: host, focus: id, thread: thread)
  }
}

/// The reason why another server's part of a thread can't be shown.
public enum ForeignThreadError: Error, Hashable, Sendable {
  /// The server shows its threads only in a browser, or requests to it aren't allowed.
  case notReadable(host: String)
  case failed(DownloadError)
  /// The lists of accounts that the user hides couldn't be fetched, so this part may contain hidden accounts.
  case notChecked(DownloadError)

  /// Converts an error of the request for the thread.
  public init(_ error: DownloadError, host: String) {
    switch error {
    case .transport, .rateLimited, .serverFailed: self = .failed(error)
    default: self = .notReadable(host: host)
    }
  }

  /// The message for the user.
  public var sentence: String {
    switch self {
    case .notReadable(let host): "\(host) doesn't show its threads here."
    case .failed(let error): error.sentence
    case .notChecked(let error): "Not shown: the lists of people you mute and block are missing. \(error.sentence)"
    }
  }
}

extension AccountConnection {
  /// Returns `thread` including the qwinks that are only on the author's server. Their ids are their addresses. If this
  /// server is the author's server, the thread is already complete and is returned unchanged.
  ///
  /// - Parameter others: The connection to other servers; nil if requests to them aren't allowed.
  public func whole(
    _ thread: QwinkThread, around qwink: Qwink, asking others: OtherServers?
  ) async throws(ForeignThreadError) -> QwinkThread {
    guard let address = qwink.url.flatMap({ WebAddress($0) }) else { return thread }
    let domain = try? await answer(to: .serverInfo).domain
    guard !isOwn(address, domain: domain) else { return thread }
    guard let others else { throw .notReadable(host: address.hostName.words) }
    let foreign = try await others.thread(around: address)
    let lists: HiddenLists
    do throws(DownloadError) {
      lists = try await hiddenLists()
    } catch {
      throw error.isCancelled ? ForeignThreadError.failed(error) : .notChecked(error)
    }
    let found = thread.joined(with: foreign.matched(by: lists.filters), around: qwink)
    var joined = found.thread
    let (elsewhere, now) = (found.elsewhere, clock.now)
    let people = lists.people(serverURL: serverURL)
    // The user's server has already removed hidden accounts from its own part.
    let isLeftOut: (Qwink) -> Bool = {
      elsewhere.contains($0.originalID) && people.state(of: $0.author, at: now) != nil
    }
    joined.ancestors.removeAll(where: isLeftOut)
    joined.descendants.removeAll(where: isLeftOut)
    joined.update { qwink in
      guard elsewhere.contains(qwink.originalID), let author = qwink.quote?.author,
        let state = people.state(of: author, at: now)
      else { return nil }
      var withheld = qwink
      withheld.quote?.state = state
      return withheld
    }
    return joined.namingByAddress(elsewhere)
  }
}
