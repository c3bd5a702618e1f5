import FoundationEssentials
public import QwinkleAccount
public import QwinkleModel
public import QwinkleStore
import SafeText
import Timekeeping

/// The text and settings of one entry while the user writes it, for every purpose and screen. Counts characters, saves
/// drafts, sends the entry, and reports failures.
@MainActor
public final class EntryComposer {
  public enum Activity: Hashable, Sendable {
    case writing
    /// The text to edit is being fetched.
    case fetching
    /// The entry is being sent. Its text can't change until sending ends, so that the sent text is unambiguous.
    case sending
  }

  public let purpose: EntryPurpose
  public weak var delegate: (any EntryComposerDelegate)?
  public internal(set) var entry: Entry
  public internal(set) var activity = Activity.writing
  /// Whether the audience is still undecided. The entry can't be sent until the user chooses an audience or the
  /// account's usual visibility has loaded.
  public internal(set) var isAudienceOpen: Bool

  let account: Account
  private let drafts: OutgoingStore?
  let keeper: DraftKeeper
  /// The entry before the user changed it. An unchanged entry isn't saved as a draft.
  var original: Entry
  var choseVisibility = false
  var choseQuotePolicy = false
  /// The cursor position to restore when the text is replaced, in characters. Nil puts the cursor at the end.
  public internal(set) var cursor: Int?
  /// The known names, sizes and descriptions of the entry's files.
  var files: [OutgoingFile] = []
  /// The qwink, qwinker or conversation that the entry refers to. It is saved with each draft, so that the draft can be
  /// opened offline.
  private lazy var subject = purpose.subject
  /// Earlier attempts to send the entry that may have succeeded, because the server's reply was lost.
  var attempts: [OutgoingEntry.Attempt] = []
  /// The reason the entry couldn't be sent, if sending failed.
  var failure: String?
  /// The error that prevents saving drafts, if any.
  private var keepFailure: StoreError?
  /// A message about the entry that isn't a failure.
  var remark: String?
  var fetch: Fetch?
  /// A draft of an edit that a shell command saved while the qwink's text was unknown. It is completed when the text
  /// has been fetched.
  var openEdit: OutgoingStore.Taken?
  /// Texts that are saved with the draft but aren't part of the entry, such as the publication time.
  var fieldTexts: [EntryField: String] = [:]

  /// The form in which an entry over the character limit is posted.
  public internal(set) var threadForm = ThreadForm.none

  /// Creates an entry for `purpose`. ``begin(isRestored:)`` loads the saved draft, if any.
  public init(purpose: EntryPurpose, account: Account, drafts: OutgoingStore?) {
    self.purpose = purpose
    self.account = account
    self.drafts = drafts
    keeper = DraftKeeper(purpose, in: drafts, clock: account.clock)
    let rules = EntryRules(purpose, me: account.identity.me)
    original = rules.start(
      usual: account.identity.usualVisibility, language: account.identity.chosenLanguage,
      idempotencyKey: UUID().uuidString)
    entry = original
    isAudienceOpen = rules.leavesAudienceOpen(usual: account.identity.usualVisibility)
    files = knownFiles(among: nil)
    if purpose.isEdit { activity = .fetching }
    keeper.didKeep = { [weak self] in self?.noteSaving($0) }
    keeper.didPart = { [weak self] in
      self?.say(EntryWords.draftChangedElsewhere)
    }
    account.addObserver(self)
  }

  /// Loads the unsent draft for the same purpose, if any, and appends text typed before the draft is loaded. Fetches
  /// the text to edit if needed. Call once, after setting the delegate. If `isRestored` is true, the message about a
  /// restored draft is omitted unless it mentions further drafts, because the user was writing the restored draft when
  /// the program ended.
  public func begin(isRestored: Bool = false) {
    keeper.take { [weak self] taken in
      guard let self else { return }
      adopt(taken)
      if isRestored, remark == EntryWords.restored(isEdit: purpose.isEdit, others: 0) {
        remark = nil
        delegate?.composerDidChange(self)
      }
      delegate?.composerDidBegin(self)
    }
  }

  /// Restores a discarded entry. Call instead of ``begin(isRestored:)``.
  public func resume(_ discarded: DiscardedEntry) {
    entry = rules.resume(discarded.content.entry)
    cursor = discarded.content.cursor
    fieldTexts = EntryField.texts(in: discarded.content)
    isAudienceOpen = discarded.content.isAudienceOpen
    attempts = discarded.content.attempts
    files = knownFiles(among: discarded.content.files)
    activity = .writing
    adoptUsualVisibility()
    noteChange()
    delegate?.composerDidReplaceText(self)
    delegate?.composerDidChange(self)
  }

  // MARK: State

  var rules: EntryRules { EntryRules(purpose, me: account.identity.me) }

  var limits: ServerInfo.Limits { account.identity.serverInfo?.limits ?? ServerInfo.Limits() }

  /// Characters left, as counted by the server. Negative beyond the limit. Nil if the text is too long to count.
  public var remaining: Int? { rules.remaining(of: entry, limits: limits) }

  /// The server's character limit.
  public var characterLimit: Int { limits.characters }

  /// The mentioned handles except the user's own. They are the recipients if the entry's visibility is direct.
  public var recipients: [String] { rules.recipients(of: entry) }

  /// Whether there is more than one visibility to choose from.
  public var canChangeVisibility: Bool { rules.visibilities.count > 1 }

  /// Whether the entry has nothing worth saving.
  public var isUntouched: Bool {
    let isBlank = entry.text.allSatisfy(\.isWhitespace) && entry.contentWarning.allSatisfy(\.isWhitespace)
    let hasExtras = entry.poll != nil || entry.attachmentIDs != original.attachmentIDs || hasGivenFiles
    return !hasTypedPoll && ((isBlank && !hasExtras) || isUnchanged)
  }

  /// Whether content, language and quote policy are unchanged.
  var isUnchanged: Bool {
    isAsBegun && entry.language == original.language && entry.quotePolicy == original.quotePolicy && !hasGivenFiles
  }

  /// Whether the entry has files that the server doesn't have yet.
  var hasGivenFiles: Bool { fieldTexts[.givenFiles] != nil }

  private var isAsBegun: Bool {
    entry.text == original.text && entry.contentWarning == original.contentWarning && entry.poll == original.poll
      && entry.attachmentIDs == original.attachmentIDs
  }

  // MARK: Writing

  public var text: String {
    get { entry.text }
    set { change { $0.text = newValue } }
  }

  /// The content warning. Empty if none.
  public var contentWarning: String {
    get { entry.contentWarning }
    set { change { $0.contentWarning = newValue } }
  }

  /// The code of the text's language. Empty for the account's default.
  public var language: String {
    get { entry.language ?? "" }
    set {
      let code = newValue.trimmed()
      change { $0.language = code.isEmpty ? nil : code }
    }
  }

  /// Returns the text of a field that isn't part of the entry. Empty if the user typed nothing.
  func text(of field: EntryField) -> String { fieldTexts[field] ?? "" }

  /// Sets the text of a field that isn't part of the entry. The text is saved with the draft.
  func setText(_ text: String, of field: EntryField) {
    guard text != self.text(of: field) else { return }
    fieldTexts[field] = text.isEmpty ? nil : text
    if activity == .writing { noteChange() }
  }

  /// Switches to the next allowed visibility, wrapping around.
  public func changeVisibility() {
    guard canChangeVisibility, activity == .writing else { return }
    let next = rules.visibility(after: isAudienceOpen ? nil : entry.visibility)
    let wasOpen = isAudienceOpen
    choseVisibility = true
    isAudienceOpen = false
    change(always: wasOpen) { $0.visibility = next }
  }

  func change(always: Bool = false, _ change: (inout Entry) -> Void) {
    guard activity == .writing else { return }
    var changed = entry
    change(&changed)
    guard always || changed != entry else { return }
    entry = changed
    // A different text or audience needs a new idempotency key. Otherwise the server would treat the entry as a repeat
    // of the qwink sent before. An entry that matches an earlier attempt again gets that attempt's key.
    let same = attempts.last { $0.entry.saysSame(as: rules.outgoing(entry)) }
    entry.idempotencyKey = same?.entry.idempotencyKey ?? UUID().uuidString
    failure = nil
    remark = nil
    noteChange()
    delegate?.composerDidChange(self)
  }

  /// Replaces the stored details of the entry's files and schedules saving the draft.
  func noteFiles(_ files: [OutgoingFile]) {
    guard files != self.files else { return }
    self.files = files
    if activity == .writing { noteChange() }
  }

  /// Schedules saving the draft after a change.
  func noteChange() {
    keeper.noteChange(size: entry.text.utf8.count + entry.contentWarning.utf8.count) { [weak self] in self?.draftToSave
    }
  }

  /// Shows an error until the entry changes. Nil removes the error.
  public func fail(_ sentence: String?) {
    failure = sentence
    delegate?.composerDidChange(self)
  }

  func say(_ sentence: String) {
    remark = sentence
    delegate?.composerDidChange(self)
  }

  /// Removes the messages shown by ``fail(_:)`` and ``say(_:)``.
  func clearMessages() {
    failure = nil
    remark = nil
    delegate?.composerDidChange(self)
  }

  // MARK: Messages

  /// The error to show, because the entry couldn't be sent or its draft couldn't be saved. Otherwise a warning that an
  /// earlier attempt to send the entry may have succeeded, if one was made.
  public var complaint: String? {
    if let failure { return failure }
    if let keepFailure { return EntryWords.draftNotSaved(keepFailure) }
    guard activity == .writing, let attempt = attempts.last else { return nil }
    return "\(attempt.reason ?? OutgoingEntry.Attempt.endedReason) \(EntryWords.doubt)"
  }

  /// A message other than a failure.
  public var note: String? { remark }

  /// False if the last attempt to save the draft failed.
  public var canSaveDrafts: Bool { keepFailure == nil }

  // MARK: Saving drafts

  /// The draft to save; nil if the entry is untouched.
  private var draftToSave: OutgoingEntry? { isUntouched ? nil : outgoing }

  var outgoing: OutgoingEntry {
    OutgoingEntry(
      id: keeper.id, purpose: purpose.key, entry: entry, isAudienceOpen: isAudienceOpen, attempts: attempts,
      subject: subject, cursor: delegate?.cursor(of: self), files: savedFiles,
      fields: EntryField.saved(fieldTexts))
  }

  private func noteSaving(_ error: StoreError?) {
    guard error != keepFailure else { return }
    keepFailure = error
    delegate?.composerDidChange(self)
  }

  /// Saves the draft now, or deletes it if the entry is untouched.
  public func keepDraft() {
    if activity == .writing { keeper.keep(draftToSave) }
  }

  /// Saves pending changes now, for example before the program stops.
  public func keepPending() {
    if activity == .writing { keeper.keepPending() }
  }

  /// Saves the draft and releases it for the next composer with the same purpose. If the entry is untouched, deletes
  /// the draft instead. Calls `saved` with nil when a draft has been saved, or with the error of a failed save or
  /// deletion. Otherwise doesn't call `saved`. A draft that can't be saved stays in memory for the next composer.
  public func leave(saved: @escaping @MainActor (StoreError?) -> Void) {
    if activity == .writing {
      keeper.didPart = nil
      let hasDraft = drafts != nil && draftToSave != nil
      keeper.keep(draftToSave) { error in if hasDraft || error != nil { saved(error) } }
    }
    activity = .fetching
    if !leaveOpenEdit() { keeper.leave() }
  }

  /// Deletes the draft. ``Account/undo()`` calls `reopen` with the deleted entry. Returns false if there is no entry to
  /// restore. Does nothing while the entry is being sent.
  public func discard(reopen: @escaping @MainActor (DiscardedEntry) -> Void) -> Bool {
    guard activity != .sending else { return false }
    let discarded = (activity == .writing ? draftToSave : nil).map { DiscardedEntry(purpose: purpose, content: $0) }
    activity = .fetching
    keeper.didPart = nil
    // An edit that a command saved isn't shown until the qwink's current text is fetched. Until then don't delete the
    // edit, because the user hasn't seen it.
    if !leaveOpenEdit() { keeper.forget() }
    guard let discarded else { return false }
    account.rememberAct(undoneAs: EntryWords.draftRestored) { reopen(discarded) }
    return true
  }

  /// Whether ``beginAnother()`` does anything.
  var canBeginAnother: Bool { activity == .writing && !purpose.isEdit && !isUntouched }

  /// Saves the draft and begins another entry for the same purpose. Does nothing if the entry is untouched or an edit.
  public func beginAnother() {
    guard canBeginAnother else { return }
    keeper.keep(draftToSave)
    keeper.leave()
    beginAnew()
    remark = EntryWords.anotherBegun
    delegate?.composerDidReplaceText(self)
    delegate?.composerDidChange(self)
  }

  func beginAnew() {
    keeper.detach()
    fieldTexts = [:]
    threadForm = .none
    failure = nil
    remark = nil
    attempts = []
    cursor = nil
    activity = .writing
    choseVisibility = false
    choseQuotePolicy = false
    original = rules.start(
      usual: account.identity.usualVisibility, language: account.identity.chosenLanguage,
      idempotencyKey: UUID().uuidString)
    entry = original
    files = knownFiles(among: nil)
    isAudienceOpen = rules.leavesAudienceOpen(usual: account.identity.usualVisibility)
  }

  /// Sets the account's usual visibility if it is loaded and the audience is undecided. After that, only the user
  /// changes the visibility.
  func adoptUsualVisibility() {
    guard isAudienceOpen, let usual = account.identity.usualVisibility else { return }
    entry.visibility = rules.visibility(preferring: usual)
    isAudienceOpen = false
    guard failure == EntryProblem.noAudience.sentence else { return }
    // Sending failed because no visibility was chosen. Explain why the entry is still open.
    failure = nil
    remark = EntryWords.visibilityKnown(entry.visibility)
  }
}

extension EntryComposer: AccountObserver {
  public func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {
    guard activity == .sending, outgoing.entry.idempotencyKey == entry.idempotencyKey else { return }
    attempts = outgoing.attempts
    if case .posted(let qwink) = outcome {
      beginAnew()
      delegate?.composer(self, didSend: qwink)
      return
    }
    if case .queued = outcome {
      beginAnew()
      delegate?.composerDidQueue(self)
      return
    }
    activity = .writing
    fail(EntryWords.outcome(outcome, isEdit: purpose.isEdit))
  }

  public func identityDidChange(_ identity: Identity) {
    delegate?.composerNeedsTypedText(self)
    // The initial mentions omit the user's own handle, which may have been unknown until now.
    if activity == .writing, isAsBegun, !purpose.isEdit {
      let start = rules.start(usual: entry.visibility, idempotencyKey: entry.idempotencyKey)
      if start.text != original.text || start.contentWarning != original.contentWarning {
        original = start
        entry.text = start.text
        entry.contentWarning = start.contentWarning
        cursor = nil
        delegate?.composerDidReplaceText(self)
      }
    }
    if activity == .writing { adoptUsualVisibility() }
    delegate?.composerDidChange(self)
  }
}
