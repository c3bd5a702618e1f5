public import QwinkleModel
import QwinkleService

/// Adds and removes boosts, favourites and bookmarks through the outbox. A change is shown at once and corrected by the
/// server's response if necessary.
@MainActor
public final class Reactions {
  private let connection: AccountConnection
  private let timelines: Timelines
  private let switches: ReactionSwitches
  private let undoHistory: UndoHistory
  private let outbox: Outbox
  /// The qwink of each reaction in progress.
  private var reactedQwinks: [ReactionKey: Qwink] = [:]
  /// The last state that this program has set for each reaction.
  private var lastReactions: [ReactionKey: Bool] = [:]

  init(
    _ connection: AccountConnection, timelines: Timelines, switches: ReactionSwitches, undoHistory: UndoHistory,
    outbox: Outbox
  ) {
    self.connection = connection
    self.timelines = timelines
    self.switches = switches
    self.undoHistory = undoHistory
    self.outbox = outbox
    outbox.setHandler(self, of: .reaction)
    switches.wanted = { [weak outbox] in
      var wanted: [ReactionKey: Bool] = [:]
      for change in outbox?.targets ?? [] {
        if let key = ReactionKey(change) { wanted[key] = change.isOn }
      }
      return wanted
    }
  }

  /// Reacts to a qwink, or removes the reaction if `isOn` is false. ``Account/undo()`` reverses it.
  public func react(to qwink: Qwink, with reaction: Reaction, isOn: Bool) {
    let qwink = timelines.current(qwink)
    undoHistory.remember(.reaction(qwink, reaction, isOn: isOn))
    send(reaction, to: qwink, isOn: isOn)
  }

  /// Like ``react(to:with:isOn:)``, but doesn't add the reaction to the undo history.
  func send(_ reaction: Reaction, to qwink: Qwink, isOn: Bool) {
    let qwink = timelines.current(qwink)
    let key = ReactionKey(id: qwink.originalID, reaction: reaction)
    let before = current(qwink)
    let change = OutgoingChange(
      .reaction(reaction), of: key.id.rawValue, isOn: isOn, wasOn: before.has(reaction), title: qwink.outboxTitle)
    lastReactions[key] = isOn
    let wanted = before.setting(reaction, to: isOn)
    reactedQwinks[key] = wanted
    timelines.mergeReactions(of: wanted)
    outbox.want(change)
    forgetIfDone(key)
  }

  /// Whether the user has reacted to a qwink.
  public func has(_ reaction: Reaction, _ qwink: Qwink) -> Bool {
    has(ReactionKey(id: qwink.originalID, reaction: reaction)) ?? qwink.has(reaction)
  }

  private func has(_ key: ReactionKey) -> Bool? { timelines.known(key.id)?.has(key.reaction) ?? lastReactions[key] }

  /// Returns the newest loaded state of a qwink. Falls back to `qwink`.
  private func current(_ qwink: Qwink) -> Qwink {
    let id = qwink.originalID
    return timelines.known(id) ?? reactedQwinks.first { $0.key.id == id }?.value ?? qwink
  }

  private func forgetIfDone(_ key: ReactionKey) {
    if outbox.target(of: key.change) == nil { reactedQwinks[key] = nil }
  }

  /// Settles one reaction with the server's response. Ignores the other reactions and the text in the response, because
  /// they may be older than the known ones.
  private func settle(_ key: ReactionKey, isOn: Bool, by answer: Qwink) {
    let known = reactedQwinks[key] ?? timelines.known(key.id) ?? answer
    timelines.mergeReactions(of: known.original.settled(key.reaction, isOn: isOn, by: answer))
    switches.settle(key, isOn: isOn)
  }

  /// Restores the previous state of a reaction.
  private func revert(_ key: ReactionKey, isOn: Bool) {
    // Restore only this reaction, to preserve later changes.
    if let qwink = reactedQwinks[key] ?? timelines.known(key.id) {
      timelines.mergeReactions(of: current(qwink).setting(key.reaction, to: !isOn))
    }
    switches.settle(key, isOn: !isOn)
    undoHistory.forget { $0.isReaction(key, isOn: isOn) }
    lastReactions[key] = !isOn
  }
}

extension Reactions: OutboxHandler {
  func outbox(_ outbox: Outbox, didSend item: OutboxItem, as answer: OutboxAnswer) {
    guard let change = item.change, let key = ReactionKey(change), case .qwink(let qwink) = answer else { return }
    // If the user has changed the reaction again, ignore the response: the later change is already shown.
    if outbox.target(of: change.key) == nil { settle(key, isOn: change.isOn, by: qwink) }
    forgetIfDone(key)
  }

  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool) {
    guard let change = item.change, let key = ReactionKey(change), case .refused(let error) = ending,
      outbox.target(of: change.key) == nil
    else { return }
    revert(key, isOn: change.isOn)
    forgetIfDone(key)
    let tell: @MainActor (DownloadError) -> Void = { [weak self] error in
      let what = FailureWords.reacting(key.reaction, isOn: change.isOn)
      let failure = FeedFailure(what, error) { [weak self] in
        self.map { $0.has(key) != change.isOn } ?? true
      }
      self?.connection.observers.forEach { $0.account(didFail: failure) }
    }
    guard key.reaction == .bookmark else { return tell(error) }
    connection.explain(error, by: AbilityNeed(.bookmarks, of: key.id), tell)
  }

  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem) {
    guard let change = item.change, let key = ReactionKey(change), outbox.target(of: change.key) == nil else { return }
    revert(key, isOn: change.isOn)
    forgetIfDone(key)
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
  /// Returns the qwink with one reaction set to `isOn`, and with the count of that reaction from the response.
  fileprivate func settled(_ reaction: Reaction, isOn: Bool, by answer: Qwink) -> Qwink {
    let answer = answer.setting(reaction, to: isOn)
    var settled = setting(reaction, to: isOn)
    if let count = reaction.count { settled[keyPath: count] = answer[keyPath: count] }
    return settled
  }
}
