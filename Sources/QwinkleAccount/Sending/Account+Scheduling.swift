public import FoundationEssentials
public import QwinkleModel
public import QwinkleService

/// A failure to schedule a qwink.
public struct SchedulingError: Error, Hashable, Sendable {
  public var error: DownloadError
  /// Whether the qwink may be scheduled anyway, because it was sent but no response arrived.
  public var isDoubtful: Bool

  init(_ error: DownloadError, isDoubtful: Bool = false) {
    self.error = error
    self.isDoubtful = isDoubtful
  }

  /// Returns the failure, its reason and advice in one line. `list` is the name of the list of scheduled qwinks.
  public func sentence(listedBy list: String) -> String {
    isDoubtful
      ? "\(error.summary) It may be scheduled anyway: check \(list)." : "Not scheduled. \(error.sentence)"
  }
}

/// Scheduling qwinks on the server.
extension Account {
  /// Schedules `entry` for publication by the server at `date`. A server that doesn't support scheduling may publish it
  /// at once. If support is unknown, first requests the list of scheduled posts, and sends nothing if that request
  /// fails or if the caller releases the returned fetch before the request ends. `altTexts` are the descriptions of the
  /// attachments, in order.
  public func schedule(
    _ entry: Entry, at date: Date, altTexts: [String] = [],
    completion: @escaping @MainActor (Result<Scheduling, SchedulingError>) -> Void
  ) -> Fetch {
    guard connection.abilities[.scheduledPosts] == nil else { return send(entry, at: date, altTexts, completion) }
    return connection.fetch(.scheduledPosts(limit: 1)) { [weak self] result in
      switch result {
      case .success: _ = self?.send(entry, at: date, altTexts, completion)
      case .failure(let error): completion(.failure(SchedulingError(error)))
      }
    }
  }

  /// Schedules `entry` for a command. Waits for the result.
  public func schedule(
    _ entry: Entry, at date: Date, altTexts: [String] = []
  ) async throws(SchedulingError) -> Scheduling {
    var fetch: Fetch?
    let result = await withCheckedContinuation { continuation in
      fetch = schedule(entry, at: date, altTexts: altTexts) { continuation.resume(returning: $0) }
    }
    withExtendedLifetime(fetch) {}
    return try result.get()
  }

  private func send(
    _ entry: Entry, at date: Date, _ altTexts: [String],
    _ completion: @escaping @MainActor (Result<Scheduling, SchedulingError>) -> Void
  ) -> Fetch {
    let finish = undoHistory.begin("Scheduling") { [weak self] (result: Result<Scheduling, DownloadError>) in
      switch result {
      case .success(.scheduled(let post)):
        self?.connection.abilities.note(.scheduledPosts, true)
        completion(.success(.scheduled(post)))
        self?.connection.tell(entry.differences(in: post, at: date, altTexts: altTexts))
        return
      case .success(.published(let qwink)):
        guard let self else { break }
        return settle(qwink, at: date, completion)
      case .success(.unlisted), .success(.unclear): break
      // "Not found" means that the parent was deleted. The server may still support scheduling.
      case .failure(.notFound): break
      case .failure(let error):
        guard let lack = error.lacking(.scheduledPosts) else { break }
        self?.connection.note(lack)
        return completion(.failure(SchedulingError(lack)))
      }
      completion(result.mapError { SchedulingError($0, isDoubtful: $0.mayHaveArrived) })
    }
    let request = Request<Scheduling>.schedule(entry, at: date).sourced
    return connection.ask(request, as: .post, tellsCancellation: true) { [connection] result in
      if case .success(let sourced) = result {
        connection.observers.forEach { $0.account(didReceive: sourced.json, of: sourced.answer.id) }
      }
      finish(result.map { $0.answer })
    }
  }

  /// Determines whether a server that responded with a qwink has published it. snac responds with a qwink, but
  /// publishes it at `date`.
  private func settle(
    _ qwink: Qwink, at date: Date, _ completion: @escaping @MainActor (Result<Scheduling, SchedulingError>) -> Void
  ) {
    guard !qwink.isDue(at: date) else { return completion(.success(.unlisted(qwink))) }
    connection.ask(.qwink(qwink.originalID)) { [weak self] result in
      switch result {
      case .success(let found) where !found.isDue(at: date):
        self?.connection.abilities.note(.scheduledPosts, false)
        self?.timelines.insertOwn(qwink)
        completion(.success(.published(qwink)))
      case .success, .failure(.notFound): completion(.success(.unlisted(qwink)))
      case .failure: completion(.success(.unclear(qwink)))
      }
    }
  }
}

extension Scheduling {
  fileprivate var id: String {
    switch self {
    case .scheduled(let post): post.id.rawValue
    case .published(let qwink), .unlisted(let qwink), .unclear(let qwink): qwink.id.rawValue
    }
  }
}

extension Qwink {
  /// Whether the qwink's date is at most a minute from the scheduled date.
  fileprivate func isDue(at date: Date) -> Bool { abs(createdAt.timeIntervalSince(date)) <= 60 }
}
