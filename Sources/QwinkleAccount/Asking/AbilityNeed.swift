public import QwinkleModel
public import QwinkleService

/// An ability that an action on a qwink, a qwinker or a notification needs. If the server answers "not found", either
/// the object no longer exists, or the server doesn't support the call. A request for the object distinguishes the two
/// cases.
public struct AbilityNeed: Hashable, Sendable {
  private enum Subject: Hashable, Sendable {
    case qwink(Qwink.ID)
    case qwinker(Qwinker.ID)
    case notification(AccountNotification.ID)
  }

  let ability: Ability
  private let subject: Subject

  public init(_ ability: Ability, of qwink: Qwink) {
    self.init(ability, of: qwink.originalID)
  }

  init(_ ability: Ability, of id: Qwink.ID) {
    self.ability = ability
    subject = .qwink(id)
  }

  public init(_ ability: Ability, of qwinker: Qwinker) {
    self.ability = ability
    subject = .qwinker(qwinker.id)
  }

  public init(_ ability: Ability, of notification: AccountNotification.ID) {
    self.ability = ability
    subject = .notification(notification)
  }

  /// Checks through `connection` whether the subject exists. If a request fails for any reason, the subject counts as
  /// missing.
  @MainActor
  fileprivate func askForSubject(_ connection: AccountConnection, _ done: @escaping @MainActor (Bool) -> Void) {
    switch subject {
    case .qwink(let id): connection.ask(.qwink(id)) { done((try? $0.get()) != nil) }
    case .qwinker(let id): connection.ask(.qwinker(id)) { done((try? $0.get()) != nil) }
    case .notification(let id):
      connection.ask(.notification(id)) { [weak connection] result in
        if case .success = result { return done(true) }
        // Some servers list notifications but can't return a single one.
        connection?.ask(.notifications(limit: 40)) { page in
          done((try? page.get())?.items.contains { $0.id == id } ?? false)
        }
      }
    }
  }
}

extension AccountConnection {
  /// Like ``fetch(_:completion:)``. If the server lacks the ability, the failure is a more specific error.
  public func fetch<Answer>(
    _ request: Request<Answer>, needing need: AbilityNeed,
    completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) -> Fetch {
    fetch(request) { [weak self] in self?.settle($0, by: need, completion) }
  }

  /// Like ``answer(to:)``. If the server lacks the ability, throws a more specific error.
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

  /// Records that the server has an ability, although it lacks one of the calls for it.
  public func noteFound(_ ability: Ability) { abilities.note(ability, true) }

  /// Passes `result` to `done`, with a more specific error if the server lacks the ability. Records whether the server
  /// has it.
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

  /// Passes `error` to `done`, or a more specific error if the server lacks the ability. If the server answers "not
  /// found" for an object that exists, it lacks the ability only for this object: GoToSocial returns this error for
  /// muting a thread that the user isn't part of.
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

  /// Returns a message for the user if an earlier answer showed that the server lacks `ability`; otherwise nil.
  public func refusal(of ability: Ability) -> String? {
    guard abilities[ability] == false else { return nil }
    return DownloadError.unsupported(host: WebAddress(serverURL)?.host ?? serverURL, ability).sentence
  }
}
