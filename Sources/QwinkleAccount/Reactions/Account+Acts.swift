public import QwinkleModel
public import QwinkleService

/// What is done to a qwink, a person or a list at once, without the outbox. A failure is told to observers.
extension Account {
  /// Sends `request`, which changes something, and hands the answer to `done`. `what` begins the sentence about a
  /// failure: "Pinning".
  public func change<Answer>(
    by request: Request<Answer>, failing what: String, done: @escaping @MainActor (Answer) -> Void
  ) {
    connection.ask(request, as: request.isWrite ? .change : nil) { [weak connection] result in
      switch result {
      case .success(let answer): done(answer)
      case .failure(let error) where error.isCancelled: break
      case .failure(let error): connection?.observers.forEach { $0.account(didFail: FeedFailure(what, error)) }
      }
    }
  }

  /// Pins one of my qwinks, or unpins it. ``undo()`` reverses it.
  public func pin(_ qwink: Qwink, isOn: Bool, isUndo: Bool = false, done: @escaping @MainActor () -> Void) {
    change(by: .pin(qwink.originalID, isOn: isOn), failing: isOn ? "Pinning" : "Unpinning") { [weak self] answer in
      self?.timelines.takeIn(answer)
      if isUndo { return done() }
      self?.rememberAct(undoneAs: isOn ? "Unpinned" : "Pinned") { [weak self] in
        self?.pin(qwink, isOn: !isOn, isUndo: true) {}
      }
      done()
    }
  }

  /// Mutes the thread of a qwink, or unmutes it. ``undo()`` reverses it.
  public func muteThread(of qwink: Qwink, isOn: Bool, isUndo: Bool = false, done: @escaping @MainActor () -> Void) {
    let request: Request<Qwink> = .muteThread(qwink.originalID, isOn: isOn)
    change(by: request, failing: isOn ? "Muting the thread" : "Unmuting the thread") { [weak self] answer in
      self?.timelines.takeIn(answer)
      if isUndo { return done() }
      self?.rememberAct(undoneAs: isOn ? "Thread unmuted" : "Thread muted") { [weak self] in
        self?.muteThread(of: qwink, isOn: !isOn, isUndo: true) {}
      }
      done()
    }
  }

  /// Votes in a qwink's poll; without choices, asks for its newest numbers. It can't be undone.
  public func vote(in qwink: Qwink, for choices: [Int], done: @escaping @MainActor (Poll) -> Void) {
    guard let poll = qwink.poll else { return }
    let request: Request<Poll> = choices.isEmpty ? .poll(poll.id) : .vote(in: poll.id, for: choices)
    change(by: request, failing: choices.isEmpty ? "The poll" : "Voting") { [weak self] poll in
      var newer = (self?.timelines.known(qwink.originalID) ?? qwink).original
      newer.poll = poll
      self?.timelines.takeIn(newer)
      done(poll)
    }
  }

  /// Mutes somebody, or unmutes them. ``undo()`` reverses it.
  public func mute(
    _ qwinker: Qwinker, isOn: Bool, seconds: Int = 0, isUndo: Bool = false, done: @escaping @MainActor () -> Void
  ) {
    let request: Request<Relationship> = isOn ? .mute(qwinker.id, seconds: seconds) : .unmute(qwinker.id)
    relate(to: qwinker, by: request, failing: isOn ? "Muting" : "Unmuting") { [weak self] in
      if isUndo { return done() }
      self?.rememberAct(undoneAs: "@\(qwinker.handle) \(isOn ? "unmuted" : "muted")") { [weak self] in
        self?.mute(qwinker, isOn: !isOn, seconds: seconds, isUndo: true) {}
      }
      done()
    }
  }

  /// Blocks somebody, or unblocks them.
  public func block(_ qwinker: Qwinker, isOn: Bool, done: @escaping @MainActor () -> Void) {
    relate(to: qwinker, by: .block(qwinker.id, isOn: isOn), failing: isOn ? "Blocking" : "Unblocking", done: done)
  }

  /// Keeps a private note about somebody; an empty one removes it.
  public func note(_ text: String, about qwinker: Qwinker, done: @escaping @MainActor () -> Void) {
    relate(to: qwinker, by: .note(text, about: qwinker.id), failing: "The note", done: done)
  }

  private func relate(
    to qwinker: Qwinker, by request: Request<Relationship>, failing what: String,
    done: @escaping @MainActor () -> Void
  ) {
    change(by: request, failing: what) { [weak self] answer in
      var relationship = answer
      relationship.id = qwinker.id
      self?.follows.takeIn(relationship)
      done()
    }
  }
}
