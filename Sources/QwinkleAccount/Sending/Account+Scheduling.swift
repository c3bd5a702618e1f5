public import FoundationEssentials
public import QwinkleModel
public import QwinkleService

/// Having the server publish a qwink later.
extension Account {
  /// Has the server publish `entry` at `date`. A server that knows of no such thing may publish it at once, so one that
  /// isn't known to is asked first for what is scheduled. Releasing the result before that answer sends nothing.
  public func schedule(
    _ entry: Entry, at date: Date, completion: @escaping @MainActor (Result<Scheduling, DownloadError>) -> Void
  ) -> Fetch {
    guard connection.abilities[.scheduledPosts] == nil else { return send(entry, at: date, completion) }
    return connection.fetch(.scheduledPosts(limit: 1)) { [weak self] result in
      switch result {
      case .success: _ = self?.send(entry, at: date, completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// The same, for a command.
  public func schedule(_ entry: Entry, at date: Date) async throws(DownloadError) -> Scheduling {
    var fetch: Fetch?
    let result = await withCheckedContinuation { continuation in
      fetch = schedule(entry, at: date) { continuation.resume(returning: $0) }
    }
    withExtendedLifetime(fetch) {}
    return try result.get()
  }

  private func send(
    _ entry: Entry, at date: Date, _ completion: @escaping @MainActor (Result<Scheduling, DownloadError>) -> Void
  ) -> Fetch {
    let fetch = connection.ask(.schedule(entry, at: date), as: .post) { [weak self] result in
      switch result {
      case .success(.scheduled): self?.connection.abilities.note(.scheduledPosts, true)
      case .success(.published(let qwink)):
        self?.connection.abilities.note(.scheduledPosts, false)
        self?.timelines.takeInOwn(qwink)
      // What it replies to is gone, which says nothing about scheduling.
      case .failure(.notFound): break
      case .failure(let error):
        guard let lack = error.lacking(.scheduledPosts) else { break }
        self?.connection.note(lack)
        return completion(.failure(lack))
      }
      completion(result)
    }
    fetch.tellsCancellation = true
    return fetch
  }
}
