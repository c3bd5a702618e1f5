public import QwinkleModel
import QwinkleService

/// An ability that doing something to a qwink or a person needs. "Not found" may mean that these are gone, or that the
/// server doesn't know the call: whether they are there tells which.
public struct AbilityNeed: Sendable {
  private enum Subject: Sendable {
    case qwink(Qwink.ID)
    case qwinker(Qwinker.ID)
  }

  let ability: Ability
  private let subject: Subject

  /// What doing something to a qwink needs.
  public init(_ ability: Ability, of qwink: Qwink) {
    self.ability = ability
    subject = .qwink(qwink.originalID)
  }

  /// What doing something to a person needs.
  public init(_ ability: Ability, of qwinker: Qwinker) {
    self.ability = ability
    subject = .qwinker(qwinker.id)
  }

  /// Asks `connection` whether the subject is there.
  @MainActor
  fileprivate func askForSubject(_ connection: AccountConnection, _ done: @escaping @MainActor (Bool) -> Void) {
    switch subject {
    case .qwink(let id): connection.ask(.qwink(id)) { done((try? $0.get()) != nil) }
    case .qwinker(let id): connection.ask(.qwinker(id)) { done((try? $0.get()) != nil) }
    }
  }
}

extension AccountConnection {
  /// Hands on `error`, or that the server lacks what is needed, if that is why.
  func explain(_ error: DownloadError, by need: AbilityNeed, _ done: @escaping @MainActor (DownloadError) -> Void) {
    guard let lack = error.lacking(need.ability) else { return done(error) }
    guard case .notFound = error else {
      note(lack)
      return done(lack)
    }
    need.askForSubject(self) { [weak self] isThere in
      if isThere { self?.note(lack) }
      done(isThere ? lack : error)
    }
  }

  /// The sentence about an ability that the server was found to lack; nil if it wasn't.
  public func refusal(of ability: Ability) -> String? {
    guard abilities[ability] == false else { return nil }
    return DownloadError.unsupported(host: WebAddress(serverURL)?.host ?? serverURL, ability).sentence
  }
}
