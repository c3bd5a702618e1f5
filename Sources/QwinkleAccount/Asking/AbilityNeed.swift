public import QwinkleModel
public import QwinkleService

/// An ability that doing something to a qwink, a person or a notification needs. "Not found" may mean that these are
/// gone, or that the server doesn't know the call: whether they are there tells which.
public struct AbilityNeed: Hashable, Sendable {
  private enum Subject: Hashable, Sendable {
    case qwink(Qwink.ID)
    case qwinker(Qwinker.ID)
    case notification(AccountNotification.ID)
  }

  let ability: Ability
  private let subject: Subject

  /// What doing something to a qwink needs.
  public init(_ ability: Ability, of qwink: Qwink) {
    self.init(ability, of: qwink.originalID)
  }

  init(_ ability: Ability, of id: Qwink.ID) {
    self.ability = ability
    subject = .qwink(id)
  }

  /// What doing something to a person needs.
  public init(_ ability: Ability, of qwinker: Qwinker) {
    self.ability = ability
    subject = .qwinker(qwinker.id)
  }

  /// What doing something to a notification needs.
  public init(_ ability: Ability, of notification: AccountNotification.ID) {
    self.ability = ability
    subject = .notification(notification)
  }

  /// Asks `connection` whether the subject is there.
  @MainActor
  fileprivate func askForSubject(_ connection: AccountConnection, _ done: @escaping @MainActor (Bool) -> Void) {
    switch subject {
    case .qwink(let id): connection.ask(.qwink(id)) { done((try? $0.get()) != nil) }
    case .qwinker(let id): connection.ask(.qwinker(id)) { done((try? $0.get()) != nil) }
    case .notification(let id):
      connection.ask(.notification(id)) { [weak connection] result in
        if case .success = result { return done(true) }
        // A server may list notifications and not give a single one.
        connection?.ask(.notifications(limit: 40)) { page in
          done((try? page.get())?.items.contains { $0.id == id } ?? false)
        }
      }
    }
  }
}

extension AccountConnection {
  /// As ``fetch(_:completion:)``. A failure says whether the server lacks what is needed.
  public func fetch<Answer>(
    _ request: Request<Answer>, needing need: AbilityNeed,
    completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    fetch(request) { [weak self] in self?.settle($0, by: need, completion) }
  }

  /// As ``answer(to:)``. A failure says whether the server lacks what is needed.
  public func answer<Answer>(
    to request: Request<Answer>, needing need: AbilityNeed?
  ) async throws(DownloadError) -> Answer {
    do throws(DownloadError) {
      return try await answer(to: request)
    } catch {
      guard let need else { throw error }
      throw await withCheckedContinuation { continuation in
        explain(error, by: need) { continuation.resume(returning: $0) }
      }
    }
  }

  /// Notes that the server has an ability though it lacks one of the calls for it.
  public func noteFound(_ ability: Ability) { abilities.note(ability, true) }

  /// Hands on `result`, with what it tells of the ability that was needed.
  func settle<Answer>(
    _ result: Result<Answer, DownloadError>, by need: AbilityNeed,
    _ done: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) {
    guard case .failure(let error) = result else {
      abilities.note(need.ability, true)
      return done(result)
    }
    explain(error, by: need) { done(.failure($0)) }
  }

  /// Hands on `error`, or that the server lacks what is needed, if that is why. After "not found" for an object that is
  /// there, only this object counts: GoToSocial answers so to a mute of a thread without the user.
  func explain(_ error: DownloadError, by need: AbilityNeed, _ done: @escaping @MainActor (DownloadError) -> Void) {
    guard let lack = error.lacking(need.ability) else { return done(error) }
    if case .unsupportedHere = lack { return done(lack) }
    guard case .notFound(let host, _) = error else {
      note(lack)
      return done(lack)
    }
    need.askForSubject(self) { [weak self] isThere in
      guard isThere else { return done(error) }
      let refusal = DownloadError.unsupportedHere(host: host, need.ability)
      self?.refusals[need] = refusal
      done(refusal)
    }
  }

  /// The sentence about an ability that the server was found to lack; nil if it wasn't.
  public func refusal(of ability: Ability) -> String? {
    guard abilities[ability] == false else { return nil }
    return DownloadError.unsupported(host: WebAddress(serverURL)?.host ?? serverURL, ability).sentence
  }
}
