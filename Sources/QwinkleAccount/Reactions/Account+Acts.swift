public import QwinkleModel
public import QwinkleService

/// Actions on qwinks, users, servers and hashtags that are sent at once, without the outbox. Observers are notified of
/// failures.
extension Account {
  /// Sends `request`, which changes something, and passes the response to `done`.
  ///
  /// `what` begins the error message, for example "Pinning". If `need` is set and the server lacks that ability, the
  /// message mentions this reason. `ended` is called once the response has arrived, after `done` on success. Observers
  /// may be notified of a failure later, because finding its reason can take another request.
  ///
  /// A write becomes the last action in the undo history. ``undo()`` can reverse it only if `done` calls
  /// ``rememberAct(undoneAs:by:)``.
  public func change<Answer>(
    by request: Request<Answer>, failing what: String, needing need: AbilityNeed? = nil,
    ended: (@MainActor () -> Void)? = nil, done: @escaping @MainActor (Answer) -> Void
  ) {
    let take: @MainActor (Result<Answer, DownloadError>) -> Void = { [weak connection] result in
      switch result {
      case .success(let answer): done(answer)
      case .failure(let error):
        guard !error.isCancelled else { return }
        connection?.observers.forEach { $0.account(didFail: FeedFailure(what, error)) }
      }
    }
    let finish = request.isWrite ? undoHistory.begin(what, take) : take
    if let refusal = need.flatMap({ connection.refusals[$0] }) {
      finish(.failure(refusal))
      ended?()
      return
    }
    connection.ask(request, as: request.isWrite ? .change : nil) { [weak connection] result in
      defer { ended?() }
      guard let need, let connection else { return finish(result) }
      connection.settle(result, by: need, finish)
    }
  }

  /// Pins one of the user's qwinks, or unpins it. ``undo()`` reverses it.
  public func pin(_ qwink: Qwink, isOn: Bool, isUndo: Bool = false, done: @escaping @MainActor () -> Void) {
    let need = AbilityNeed(.pins, of: qwink)
    change(
      by: .pin(timelines.currentID(of: qwink), isOn: isOn), failing: isOn ? "Pinning" : "Unpinning", needing: need
    ) { [weak self] answer in
      self?.timelines.merge(answer)
      if isUndo { return done() }
      self?.rememberAct(undoneAs: isOn ? "Unpinned" : "Pinned") { [weak self] in
        self?.pin(qwink, isOn: !isOn, isUndo: true) {}
      }
      done()
    }
  }

  /// Mutes the thread of a qwink, or unmutes it. ``undo()`` reverses it.
  public func muteThread(of qwink: Qwink, isOn: Bool, isUndo: Bool = false, done: @escaping @MainActor () -> Void) {
    let request: Request<Qwink> = .muteThread(timelines.currentID(of: qwink), isOn: isOn)
    let need = AbilityNeed(.threadMutes, of: qwink)
    change(
      by: request, failing: isOn ? "Muting the thread" : "Unmuting the thread", needing: need
    ) { [weak self] answer in
      self?.timelines.merge(answer)
      if isUndo { return done() }
      self?.rememberAct(undoneAs: isOn ? "Thread unmuted" : "Thread muted") { [weak self] in
        self?.muteThread(of: qwink, isOn: !isOn, isUndo: true) {}
      }
      done()
    }
  }

  /// Votes in a qwink's poll. Without choices, fetches the poll's current results. A vote can't be undone.
  public func vote(in qwink: Qwink, for choices: [Int], done: @escaping @MainActor (Poll) -> Void) {
    guard let poll = qwink.poll else { return }
    let request: Request<Poll> = choices.isEmpty ? .poll(poll.id) : .vote(in: poll.id, for: choices)
    let need = AbilityNeed(.polls, of: qwink)
    change(by: request, failing: choices.isEmpty ? "The poll" : "Voting", needing: need) { [weak self] poll in
      var newer = (self?.timelines.known(qwink.originalID) ?? qwink).original
      newer.poll = poll
      self?.timelines.merge(newer)
      done(poll)
    }
  }

  /// Mutes or unmutes a user. A muted user's rows disappear from lists at once and reappear if the request fails.
  /// ``undo()`` reverses it.
  public func mute(
    _ qwinker: Qwinker, isOn: Bool, seconds: Int = 0, isUndo: Bool = false, done: @escaping @MainActor () -> Void
  ) {
    let request: Request<Relationship> = isOn ? .mute(qwinker.id, seconds: seconds) : .unmute(qwinker.id)
    relate(to: qwinker, by: request, failing: FailureWords.muting(isOn: isOn), needing: .mutes, hides: isOn) {
      [weak self] in
      if isUndo { return done() }
      self?.rememberAct(undoneAs: "@\(qwinker.handle) \(isOn ? "unmuted" : "muted")") { [weak self] in
        self?.mute(qwinker, isOn: !isOn, seconds: seconds, isUndo: true) {}
      }
      done()
    }
  }

  /// Blocks or unblocks a user. A blocked user's rows disappear from lists at once and reappear if the request fails.
  /// ``undo()`` reverses it.
  public func block(
    _ qwinker: Qwinker, isOn: Bool, isUndo: Bool = false, done: @escaping @MainActor () -> Void
  ) {
    let request: Request<Relationship> = .block(qwinker.id, isOn: isOn)
    let what = isOn ? "Blocking" : "Unblocking"
    relate(to: qwinker, by: request, failing: what, needing: .blocks, hides: isOn) { [weak self] in
      if isUndo { return done() }
      self?.rememberAct(undoneAs: "@\(qwinker.handle) \(isOn ? "unblocked" : "blocked")") { [weak self] in
        self?.block(qwinker, isOn: !isOn, isUndo: true) {}
      }
      done()
    }
  }

  /// Blocks or unblocks all users of a server. ``undo()`` reverses it.
  public func blockServer(
    _ host: String, isOn: Bool, isUndo: Bool = false, done: @escaping @MainActor () -> Void
  ) {
    let what = "\(isOn ? "Blocking" : "Unblocking") \(host)"
    change(by: .blockDomain(host, isOn: isOn), failing: what) { [weak self] in
      self?.follows.setBlocked(server: host, isOn: isOn)
      if isUndo { return done() }
      self?.rememberAct(undoneAs: "\(host) \(isOn ? "unblocked" : "blocked")") { [weak self] in
        self?.blockServer(host, isOn: !isOn, isUndo: true) {}
      }
      done()
    }
  }

  /// Follows or unfollows a hashtag. ``undo()`` reverses it, and calls `done` again.
  public func followTag(
    _ name: String, isOn: Bool, isUndo: Bool = false,
    done: @escaping @MainActor (_ tag: Tag, _ isOn: Bool, _ isUndo: Bool) -> Void
  ) {
    let what = "\(isOn ? "Following" : "Unfollowing") #\(name)"
    change(by: .followTag(name, isOn: isOn), failing: what) { [weak self] tag in
      if !isUndo {
        self?.rememberAct(undoneAs: "\(isOn ? "Unfollowed" : "Following") #\(name)") { [weak self] in
          self?.followTag(name, isOn: !isOn, isUndo: true, done: done)
        }
      }
      done(tag, isOn, isUndo)
    }
  }

  /// Reports a user, or some of their qwinks, to the server's moderators.
  public func report(_ report: Report, of qwinker: Qwinker, done: @escaping @MainActor () -> Void) {
    change(by: .report(report), failing: "Reporting", needing: AbilityNeed(.reports, of: qwinker), done: done)
  }

  /// Saves a private note about a user. An empty note removes it.
  public func note(_ text: String, about qwinker: Qwinker, done: @escaping @MainActor () -> Void) {
    relate(to: qwinker, by: .note(text, about: qwinker.id), failing: "Changing the note", needing: .notes, done: done)
  }

  private func relate(
    to qwinker: Qwinker, by request: Request<Relationship>, failing what: String, needing ability: Ability,
    hides: Bool = false, done: @escaping @MainActor () -> Void
  ) {
    if hides { follows.presumeHidden(qwinker) }
    let ended: @MainActor () -> Void = { [weak follows] in
      if hides { follows?.endPresumption(of: qwinker.id) }
    }
    change(by: request, failing: what, needing: AbilityNeed(ability, of: qwinker), ended: ended) {
      [weak self] answer in
      var relationship = answer
      relationship.id = qwinker.id
      self?.follows.merge(relationship)
      done()
    }
  }
}
