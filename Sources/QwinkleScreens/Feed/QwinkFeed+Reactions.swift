public import QwinkleModel
import QwinkleService

/// Which reaction to which qwink.
struct ReactionKey: Hashable {
  var id: Qwink.ID
  var reaction: Reaction
}

/// Boosting, favouring, marking, and taking it back. It shows at once; the server's answer corrects it where it has to.
extension QwinkFeed {
  /// Does something to a qwink, or takes it back where `isOn` is false. ``undo()`` reverses it.
  public func react(to qwink: Qwink, with reaction: Reaction, isOn: Bool) {
    remember(.reaction(qwink, reaction, isOn: isOn))
    send(reaction, to: qwink, isOn: isOn)
  }

  /// As ``react(to:with:isOn:)``, but is not itself undone.
  func send(_ reaction: Reaction, to qwink: Qwink, isOn: Bool) {
    let key = ReactionKey(id: qwink.originalID, reaction: reaction)
    let wanted = current(qwink).setting(reaction, to: isOn)
    reactedQwinks[key] = wanted
    takeIn(wanted)
    if isUnderWay(key) {
      // Two at once could arrive in any order.
      wantedReactions[key] = isOn
    } else {
      start(key, isOn: isOn)
    }
  }

  func didReact(_ key: ReactionKey, isOn: Bool, now qwink: Qwink) {
    guard wantedReactions[key] ?? isOn == isOn else { return }
    var original = qwink
    // The answer to a boost is the boost, on most servers.
    original.id = qwink.originalID
    original.booster = nil
    original.boostedAt = nil
    original = original.setting(key.reaction, to: isOn)
    // Other reactions to it may be on their way, of which this answer knows nothing.
    for purpose in purposes.values {
      guard case .react(let other, let isOn) = purpose, other.id == key.id, other != key else { continue }
      original = original.setting(other.reaction, to: wantedReactions[other] ?? isOn)
    }
    takeIn(original)
  }

  func didFailToReact(_ key: ReactionKey, isOn: Bool, with error: DownloadError) {
    guard wantedReactions[key] ?? isOn == isOn else { return }
    // Only this: what else became of it since stays.
    if let qwink = reactedQwinks[key] { takeIn(current(qwink).setting(key.reaction, to: !isOn)) }
    forgetAct { $0.isReaction(key, isOn: isOn) }
    forEachObserver { $0.feed(self, didFailTo: key.reaction.words(isOn: isOn), with: error) }
  }

  /// Sends what was wanted while an earlier one was under way.
  func sendWantedReaction(_ key: ReactionKey, after isOn: Bool) {
    guard let wanted = wantedReactions.removeValue(forKey: key), wanted != isOn else {
      reactedQwinks[key] = nil
      return
    }
    start(key, isOn: wanted)
  }

  private func start(_ key: ReactionKey, isOn: Bool) {
    purposes[service.start(.react(key.id, key.reaction, isOn: isOn), delegate: self)] = .react(key, isOn: isOn)
  }

  private func isUnderWay(_ key: ReactionKey) -> Bool {
    purposes.values.contains { if case .react(key, _) = $0 { true } else { false } }
  }
}

extension Reaction {
  /// What failed, as the beginning of a sentence.
  fileprivate func words(isOn: Bool) -> String {
    switch (self, isOn) {
    case (.boost, true): "The boost"
    case (.boost, false): "Taking back the boost"
    case (.favourite, true): "The favourite"
    case (.favourite, false): "Taking back the favourite"
    case (.mark, true): "The mark"
    case (.mark, false): "Taking back the mark"
    }
  }
}
