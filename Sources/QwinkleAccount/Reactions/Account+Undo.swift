import QwinkleModel
public import QwinkleService

extension Account {
  /// Undoes the last action. Returns a sentence about the result and a closure that checks whether the sentence is
  /// still true. Returns nil if there was no action. An action that can't be undone remains the last one.
  public func undo() -> (sentence: String, isSo: @MainActor () -> Bool)? {
    switch undoHistory.last {
    case .reaction(let qwink, let reaction, let isOn):
      undoHistory.undo { reactions.send(reaction, to: qwink, isOn: !isOn) }
      return (reaction.sentence(isOn: !isOn), { [weak reactions] in reactions?.has(reaction, qwink) == !isOn })
    case .follow(let qwinker, let wasOn, let before):
      let isOn = before != nil || !wasOn
      undoHistory.undo { follows.send(qwinker, isOn: isOn, options: before.flatMap { $0.isEmpty ? nil : $0 }) }
      // Observers are notified of the result.
      return (
        FollowOutcome.activity(qwinker, isOn: isOn, changesOptions: isOn && wasOn),
        { [weak follows] in follows?.isInProgress(qwinker.id) ?? false }
      )
    case .held(let kind):
      // The outbox may already have sent or discarded the item of this action.
      guard pendingActions.holds(kind) else { return (UndoWords.cannotUndo(kind.name), { true }) }
      undoHistory.undo { pendingActions.cancelPending(kind) }
      return (kind.takenBack, { true })
    case .pending(let name): return (UndoWords.isPending(name), { true })
    case .final(let name): return (UndoWords.cannotUndo(name), { true })
    case .other(let sentence, let undo):
      undoHistory.undo { undo() }
      return (sentence, { true })
    case nil: return nil
    }
  }

  /// Adds an action to the undo history, or makes the action that is being completed reversible. ``undo()`` calls
  /// `undo` and returns `sentence`.
  public func rememberAct(undoneAs sentence: String, by undo: @escaping @MainActor () -> Void) {
    undoHistory.remember(.other(sentence: sentence, undo: undo))
  }

  /// Records an action that can't be undone. `name` begins a sentence: "Voting".
  public func noteAct(_ name: String) { undoHistory.remember(.final(name)) }

  /// Sends a write that the user can't undo. If the user closes the screen, the request continues and `completion` is
  /// still called, so capture the screen weakly.
  public func send<Answer>(
    _ request: Request<Answer>, doing name: String,
    completion: @escaping @MainActor (Result<Answer, DownloadError>) -> Void
  ) {
    connection.ask(request.prioritized(.onScreen), as: .change, undoHistory.begin(name, completion))
  }
}

/// Messages about actions that can't be undone.
enum UndoWords {
  static func cannotUndo(_ name: String) -> String { "\(name) can't be undone." }
  static func isPending(_ name: String) -> String { "\(name) is still in progress." }
}
