import QwinkleAccount
import QwinkleModel
import SafeText

/// Sending the entry as one qwink.
extension EntryComposer {
  /// Sends the entry, or reports why it can't be sent.
  public func send() {
    guard activity == .writing, delegate?.composerShouldSend(self) ?? true, activity == .writing else { return }
    if let parts { return send(parts) }
    if let problem { return fail(EntryWords.problem(problem, canSplit: canSplit && threadForm == .none)) }
    if let pollProblem { return fail(pollProblem) }
    guard delegate?.composerMayPost(self) ?? true, activity == .writing else { return }
    failure = nil
    remark = nil
    if !publishTime.trimmed().isEmpty { return schedule() }
    // Save the entry even if it isn't worth saving as a draft. It can still be worth sending: for example, an edit that
    // deletes the text and leaves only pictures.
    let outgoing = outgoing
    keeper.keep(outgoing)
    if isHeld { return hold(outgoing) }
    activity = .sending
    delegate?.composerDidChange(self)
    account.posts.send(outgoing, as: rules.outgoing(entry))
  }

  private var problem: EntryProblem? {
    if case .edit = purpose, isUnchanged { return .unchanged }
    if isAudienceOpen { return .noAudience }
    return rules.problem(with: entry, limits: account.identity.serverInfo?.limits)
  }
}
