import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import SafeText
import Terminal

/// Writing a message: the entry's focus, its draft, its recipients, and sending.
extension ChatViewController {
  /// Whether the entry has keyboard focus, or regains it when a sheet closes.
  var isWriting: Bool { window?.rootResponder === entry.editor }

  func write() {
    window?.makeFirstResponder(entry.editor)
    updateHeldRows()
    list.setNeedsDisplay()
    navigator?.statusDidChange(of: self)
  }

  func leaveEntry() {
    if completer.cancel() { return }
    keepDraft()
    reportSaved()
    guard !rows.isEmpty else {
      perform(.back)
      return
    }
    window?.makeFirstResponder(list)
    updateHeldRows()
    navigator?.statusDidChange(of: self)
  }

  var rules: EntryRules { EntryRules(.conversation(conversation), me: inbox.me) }

  private var limits: ServerInfo.Limits { account.identity.serverInfo?.limits ?? ServerInfo.Limits() }

  private func entryAsTyped() -> Entry {
    Entry(
      text: entry.editor.text, visibility: .direct, attachmentIDs: draft.attachmentIDs, idempotencyKey: "")
  }

  /// Recipients who aren't participants of the conversation.
  private var others: [String] {
    ChatAudience.others(named: rules.recipients(of: entryAsTyped()), in: conversation, me: inbox.me)
  }

  func updateFoot() {
    entry.limit = limits.characters
    entry.remaining = rules.remaining(of: entryAsTyped(), limits: limits)
    let others = others
    let columns = view.frame.size.columns
    rule.title = ChatAudience.warning(of: others, columns: columns)
    entry.audience = ChatAudience.words(
      inbox.people(in: conversation), others: others, columns: min(columns, ContentWidth.text))
  }

  /// Shows completions in place of the rule above the entry.
  func showChoices() {
    completer.bar.isHidden = !completer.isShowing
    rule.isHidden = completer.isShowing
  }

  func textDidChange() {
    attachments.writerGoesOn()
    updateFoot()
    view.setNeedsLayout()
    draft.change(to: entry.editor.text)
  }

  /// Sends the text or inserts a line break, depending on the settings. An Enter within pasted text is a line break.
  func enter() {
    if settings.enterSends, window?.application?.isInTextBurst != true { send() } else { beginLine() }
  }

  func beginLine() { _ = entry.editor.keyDown(Key(.enter)) }

  func send() {
    entry.editor.tellChanges()
    guard inbox.isSignedIn, !attachments.holdsBackSending() else { return }
    if let problem = rules.problem(with: entryAsTyped(), limits: account.identity.serverInfo?.limits) {
      navigator?.say(problem.sentence, .error)
      return
    }
    let others = others
    guard !others.isEmpty else { return sendTyped() }
    let question = ChatAudience.question(of: others, columns: window?.size.columns ?? 80)
    navigator?.ask(question, again: "y") { [weak self] in self?.sendTyped() }
  }

  private func sendTyped() {
    let text = entry.editor.text.trimmed()
    let draftID = draft.id
    let files = draft.knownFiles
    draft.detach()
    entry.editor.text = ""
    clearFiles()
    updateFoot()
    view.setNeedsLayout()
    sendHeld(text, files: files, insteadOf: draftID)
    select(rows.count - 1)
  }

  /// Inserts text and files of a failed message before the entry's and saves the draft. If saving fails, restores the
  /// entry's text and doesn't call `done`.
  func take(_ message: OutgoingMessage, done: @escaping @MainActor () -> Void) {
    entry.editor.tellChanges()
    let rest = entry.editor.text
    let formerIDs = draft.attachmentIDs
    setText(rest.isEmpty ? message.text : message.text + "\n" + rest)
    draft.addFiles(of: message)
    showFiles()
    draft.keep(insteadOf: message.id) { [weak self] error in
      guard let self else { return }
      guard let error else { return done() }
      setText(rest)
      draft.attachmentIDs = formerIDs
      attachments.takeIDs()
      reportNotSaved(error)
    }
  }

  func setText(_ text: String) {
    entry.editor.text = text
    textDidChange()
  }

  func keepDraft() {
    entry.editor.tellChanges()
    draft.keepPending()
  }

  /// Reports that the text is saved as a draft.
  func reportSaved() {
    if !draft.isEmpty { navigator?.say(MessagesWords.draftSaved, .new) }
  }

  /// Loads the draft. Text typed in the meantime follows it.
  func takeDraft() {
    draft.didFail = { [weak self] in self?.reportNotSaved($0) }
    draft.take { [weak self] text, taken in
      guard let self else { return }
      defer { restoredState = nil }
      entry.editor.tellChanges()
      if taken.entry == nil, taken.heldElsewhere > 0 {
        navigator?.say(EntryWords.draftOpenElsewhere, .warning)
      } else if taken.others > 0 {
        navigator?.say(MessagesWords.moreDrafts, .warning)
      }
      showFiles()
      guard !text.isEmpty else { return }
      let typed = entry.editor.text
      setText(text + typed)
      if typed.isEmpty, let cursor = taken.entry?.cursor { entry.editor.cursorPosition = cursor }
      if typed.isEmpty, let restoredState { entry.editor.restoreCursor(restoredState["cursor"]) }
    }
  }

  private func reportNotSaved(_ error: StoreError) {
    navigator?.say(EntryWords.draftNotSaved(error), .error)
  }
}
