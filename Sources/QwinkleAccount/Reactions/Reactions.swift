public import QwinkleModel
import QwinkleService

/// Boosting, favouriting and bookmarking, and undoing each. It shows at once; the server's answer corrects it if need
/// be.
@MainActor
public final class Reactions {
  private let connection: AccountConnection
  private let timelines: Timelines
  private let switches: ReactionSwitches
  private let undoHistory: UndoHistory
  /// The qwinks of reactions under way.
  private var reactedQwinks: [ReactionKey: Qwink] = [:]
  /// The last state of each reaction made here.
  private var lastReactions: [ReactionKey: Bool] = [:]

  init(
    _ connection: AccountConnection, timelines: Timelines, switches: ReactionSwitches, undoHistory: UndoHistory
  ) {
    self.connection = connection
    self.timelines = timelines
    self.switches = switches
    self.undoHistory = undoHistory
  }

  /// Reacts to a qwink, or removes the reaction if `isOn` is false. ``Account/undo()`` reverses it.
  public func react(to qwink: Qwink, with reaction: Reaction, isOn: Bool) {
    undoHistory.remember(.reaction(qwink, reaction, isOn: isOn))
    send(reaction, to: qwink, isOn: isOn)
  }

  /// As ``react(to:with:isOn:)``, but is not itself undone.
  func send(_ reaction: Reaction, to qwink: Qwink, isOn: Bool) {
    let key = ReactionKey(id: qwink.originalID, reaction: reaction)
    lastReactions[key] = isOn
    let wanted = current(qwink).setting(reaction, to: isOn)
    reactedQwinks[key] = wanted
    timelines.takeIn(wanted)
    if switches.want(isOn, for: key) { start(key, isOn: isOn) }
  }

  /// Whether I have reacted to a qwink.
  public func has(_ reaction: Reaction, _ qwink: Qwink) -> Bool {
    has(ReactionKey(id: qwink.originalID, reaction: reaction)) ?? qwink.has(reaction)
  }

  private func has(_ key: ReactionKey) -> Bool? { timelines.known(key.id)?.has(key.reaction) ?? lastReactions[key] }

  /// The newest known state of a qwink; `qwink` itself if there is no other.
  private func current(_ qwink: Qwink) -> Qwink {
    let id = qwink.originalID
    return timelines.known(id) ?? reactedQwinks.first { $0.key.id == id }?.value ?? qwink
  }

  private func start(_ key: ReactionKey, isOn: Bool) {
    connection.ask(.react(key.id, key.reaction, isOn: isOn), as: key.reaction.underWay) { [weak self] result in
      guard let self else { return }
      // A later wish shows already.
      if switches.target(of: key) == isOn {
        switch result {
        case .success(let qwink): settle(key, isOn: isOn, by: qwink)
        case .failure(let error): takeBack(key, isOn: isOn, after: error)
        }
      }
      if let next = switches.next(after: key) { start(key, isOn: next) } else { reactedQwinks[key] = nil }
    }
  }

  /// Settles one reaction by its own answer. Other reactions and the text may be older in it than here.
  private func settle(_ key: ReactionKey, isOn: Bool, by answer: Qwink) {
    guard let known = reactedQwinks[key] else { return }
    timelines.takeIn(known.original.settled(key.reaction, isOn: isOn, by: answer))
    switches.settle(key, isOn: isOn)
  }

  private func takeBack(_ key: ReactionKey, isOn: Bool, after error: DownloadError) {
    // Only this reaction: later changes stay.
    if let qwink = reactedQwinks[key] { timelines.takeIn(current(qwink).setting(key.reaction, to: !isOn)) }
    switches.settle(key, isOn: !isOn)
    undoHistory.forget { $0.isReaction(key, isOn: isOn) }
    lastReactions[key] = !isOn
    let failure = FeedFailure(key.reaction.words(isOn: isOn), error) { [weak self] in
      self.map { $0.has(key) != isOn } ?? true
    }
    connection.observers.forEach { $0.account(didFail: failure) }
  }
}

extension Reactions: AccountObserver {
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    for key in reactedQwinks.keys where key.id == qwink.originalID { reactedQwinks[key] = qwink }
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    undoHistory.replace(id, by: qwink)
  }
}

extension Qwink {
  /// The qwink with the state and count of one reaction from the answer to it.
  fileprivate func settled(_ reaction: Reaction, isOn: Bool, by answer: Qwink) -> Qwink {
    let answer = answer.setting(reaction, to: isOn)
    var settled = setting(reaction, to: isOn)
    switch reaction {
    case .boost: settled.boostsCount = answer.boostsCount
    case .favourite: settled.favouritesCount = answer.favouritesCount
    case .bookmark: break
    }
    return settled
  }
}

extension Reaction {
  fileprivate var underWay: UnderWay {
    switch self {
    case .boost: .boost
    case .favourite: .favourite
    case .bookmark: .bookmark
    }
  }

  /// What failed, as the beginning of a sentence.
  fileprivate func words(isOn: Bool) -> String {
    switch (self, isOn) {
    case (.boost, true): "Boost"
    case (.boost, false): "Removing the boost"
    case (.favourite, true): "Favourite"
    case (.favourite, false): "Removing the favourite"
    case (.bookmark, true): "Bookmark"
    case (.bookmark, false): "Removing the bookmark"
    }
  }
}
