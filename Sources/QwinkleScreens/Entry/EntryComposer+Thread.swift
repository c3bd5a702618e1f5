import QwinkleAccount
import QwinkleModel
import SafeText

/// The form in which an entry over the character limit is posted.
public enum ThreadForm: Hashable, Sendable {
  case none
  case plain
  /// Each part ends with its number.
  case numbered
}

/// Posting a long text as a thread.
extension EntryComposer {
  /// Whether the text can be split into a thread. An edit must stay a single qwink, and a chat consists of messages
  /// instead of threads.
  var canSplit: Bool {
    if case .conversation = purpose { return false }
    return !purpose.isEdit
  }

  /// Switches to the next form: none, thread, numbered thread.
  public func changeThreadForm() {
    guard activity == .writing else { return }
    guard canSplit else { return fail(EntryWords.notSplit) }
    threadForm =
      switch threadForm {
      case .none: .plain
      case .plain: .numbered
      case .numbered: .none
      }
    say(EntryWords.threadForm(threadForm))
  }

  /// The parts of the thread. Nil if the entry is posted as a single qwink or can't be split.
  var parts: [Entry]? {
    guard threadForm != .none, canSplit, remaining.map({ $0 < 0 }) ?? true else { return nil }
    let parts = rules.thread(of: entry, numbered: threadForm == .numbered, limits: limits) ?? []
    return parts.count > 1 ? parts : nil
  }

  /// Sends the parts. All parts are saved to disk before the first is sent.
  func send(_ parts: [Entry]) {
    if isAudienceOpen { return fail(EntryProblem.noAudience.sentence) }
    if let problem = rules.problemBesidesLength(with: entry) { return fail(problem.sentence) }
    if let pollProblem { return fail(pollProblem) }
    guard publishTime.trimmed().isEmpty else { return fail(EntryWords.threadsNow) }
    guard delegate?.composerMayPost(self) ?? true, activity == .writing else { return }
    fail(nil)
    keepDraft()
    if isHeld { return hold(outgoing, parts: parts) }
    activity = .sending
    delegate?.composerDidChange(self)
    account.posts.send(thread: parts, insteadOf: outgoing) { [weak self] error in
      guard let self, activity == .sending else { return }
      if let error {
        activity = .writing
        return fail(EntryWords.draftNotSaved(error))
      }
      beginAnew()
      delegate?.composer(self, didSplitInto: parts.count)
    }
  }
}
