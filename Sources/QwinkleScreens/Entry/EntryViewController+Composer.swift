public import PaneKit
import QwinkleAccount
public import QwinkleModel
public import QwinkleService

/// Handles the composer's events.
extension EntryViewController: EntryComposerDelegate {
  public func composerDidChange(_ composer: EntryComposer) {
    view.setNeedsUpdateProperties()
  }

  public func composerNeedsTypedText(_ composer: EntryComposer) {
    tellChanges()
  }

  public func composerShouldSend(_ composer: EntryComposer) -> Bool {
    applyLines() && !attachments.holdsBackSending()
  }

  public func composerMayPost(_ composer: EntryComposer) -> Bool { !asksForDescriptions() }

  public func cursor(of composer: EntryComposer) -> Int { editor.cursorPosition }

  public func composerDidReplaceText(_ composer: EntryComposer) {
    showText()
    if let cursor = composer.cursor { editor.cursorPosition = cursor }
  }

  public func composer(_ composer: EntryComposer, didSend qwink: Qwink) {
    dismiss()
    // For new qwinks and replies, the message is nil, because ``EntryWords/posted(_:where:)`` is shown instead.
    if let sent = EntryWords.sent(purpose) { navigator?.say(sent, .new) }
  }

  public func composerDidQueue(_ composer: EntryComposer) { dismiss() }

  public func composer(_ composer: EntryComposer, didSchedule scheduling: Scheduling) {
    dismiss()
    switch scheduling {
    case .scheduled(let post):
      navigator?.say(EntryWords.scheduled(RelativeTime.full(post.publishAt, in: composer.account.timeZone)), .new)
    case .published:
      let refusal = composer.account.connection.refusal(of: .scheduledPosts) ?? ""
      navigator?.say(EntryWords.publishedAtOnce(refusal), .warning)
    case .unlisted: navigator?.say(EntryWords.scheduledUnlisted, .new)
    case .unclear: navigator?.say(EntryWords.scheduledOrPublished, .warning)
    }
  }

  public func composer(_ composer: EntryComposer, didSplitInto count: Int) {
    dismiss()
    navigator?.say(EntryWords.posting(count), .new)
  }

  public func composer(_ composer: EntryComposer, didGiveUpWith sentence: String) {
    guard let navigator else { return composer.fail(sentence) }
    dismiss()
    navigator.say(sentence, .error)
  }
}

extension EntryViewController: ApplicationObserver {
  public func application(_ application: Application, didChangeTo phase: ApplicationPhase) {
    guard phase == .background || phase == .terminating else { return }
    tellChanges()
    composer.keepPending()
  }
}
