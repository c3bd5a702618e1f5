public import QwinkleModel
import QwinkleService

/// What can be taken back as it was.
enum ReversibleAct {
  case reaction(Qwink, Reaction, isOn: Bool)
  case follow(Qwinker, isOn: Bool)

  func isReaction(_ key: ReactionKey, isOn wanted: Bool) -> Bool {
    guard case .reaction(let qwink, let reaction, let isOn) = self else { return false }
    return ReactionKey(id: qwink.originalID, reaction: reaction) == key && isOn == wanted
  }

  /// The same of a qwink that has another id now.
  func replacing(_ id: Qwink.ID, by newer: Qwink) -> ReversibleAct {
    guard case .reaction(let qwink, let reaction, let isOn) = self, let new = qwink.replaced(id, by: newer) else {
      return self
    }
    return .reaction(new, reaction, isOn: isOn)
  }

  func isFollow(_ id: Qwinker.ID) -> Bool {
    guard case .follow(let qwinker, _) = self else { return false }
    return qwinker.id == id
  }
}

/// Taking back what was done.
extension QwinkFeed {
  private static let mostActs = 100

  /// Takes back what was done last and can be. Returns what that is, as a sentence, and whether it is still so; nil
  /// where there is nothing.
  public func undo() -> (sentence: String, isSo: @MainActor () -> Bool)? {
    guard let act = doneActs.popLast() else { return nil }
    switch act {
    case .reaction(let qwink, let reaction, let isOn):
      send(reaction, to: qwink, isOn: !isOn)
      return (reaction.sentence(isOn: !isOn), { [weak self] in self?.has(reaction, qwink) == !isOn })
    case .follow(let qwinker, let isOn):
      sendFollow(qwinker, isOn: !isOn)
      // What becomes of it observers hear from the server.
      return (
        FollowOutcome.activity(qwinker, isOn: !isOn), { [weak self] in self?.isFollowUnderWay(qwinker.id) ?? false }
      )
    }
  }

  func remember(_ act: ReversibleAct) {
    doneActs.append(act)
    if doneActs.count > Self.mostActs { doneActs.removeFirst() }
  }

  /// Forgets what did not happen.
  func forgetAct(where isIt: (ReversibleAct) -> Bool) {
    if let index = doneActs.lastIndex(where: isIt) { doneActs.remove(at: index) }
  }
}

extension Reaction {
  /// What is so now, as a sentence.
  public func sentence(isOn: Bool) -> String {
    switch (self, isOn) {
    case (.boost, true): "Boosted."
    case (.boost, false): "No longer boosted."
    case (.favourite, true): "A favourite now."
    case (.favourite, false): "No longer a favourite."
    case (.bookmark, true): "Marked: 5 shows what you keep."
    case (.bookmark, false): "No longer marked."
    }
  }
}
