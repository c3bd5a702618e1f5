public import QwinkleModel
public import QwinkleService
import Timekeeping

extension OtherServers {
  /// Fetches the thread around `qwink` from its author's server, as everybody may read it there.
  ///
  /// - Throws: ``ForeignThreadError``, which says in a sentence why not.
  public func thread(around qwink: Qwink, at address: WebAddress) async throws(ForeignThreadError) -> ForeignThread {
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

/// Why another server's part of a thread is not here.
public enum ForeignThreadError: Error, Hashable, Sendable {
  /// It shows its threads in a browser only, or is not asked.
  case notReadable(host: String)
  case failed(DownloadError)
  /// The account's server doesn't say whom the user hides: this part may have them.
  case notChecked(DownloadError)

  /// What the failure of a request for the thread means.
  public init(_ error: DownloadError, host: String) {
    switch error {
    case .transport, .rateLimited, .serverFailed: self = .failed(error)
    default: self = .notReadable(host: host)
    }
  }

  /// What is wrong.
  public var sentence: String {
    switch self {
    case .notReadable(let host): "\(host) doesn't show its threads here."
    case .failed(let error): error.sentence
    case .notChecked(let error): "Not shown: the lists of people you mute and block are missing. \(error.sentence)"
    }
  }
}

extension AccountConnection {
  /// `thread` with what only the author's server has of it, whose ids are addresses. This server has all of its own.
  ///
  /// - Parameter others: asks that server; nil: none is asked.
  public func whole(
    _ thread: QwinkThread, around qwink: Qwink, asking others: OtherServers?
  ) async throws(ForeignThreadError) -> QwinkThread {
    guard let address = qwink.url.flatMap({ WebAddress($0) }) else { return thread }
    let domain = try? await answer(to: .serverInfo).domain
    guard !isOwn(address, domain: domain) else { return thread }
    guard let others else { throw .notReadable(host: address.hostName.words) }
    let foreign = try await others.thread(around: qwink, at: address)
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
    // The user's server has left out its own.
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
