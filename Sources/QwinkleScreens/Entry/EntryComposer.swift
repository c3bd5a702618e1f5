import FoundationEssentials
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import SafeText
import Timekeeping

/// Writes one entry, whatever its purpose and its looks: starting text, counting, saving drafts, sending, failing.
@MainActor
public final class EntryComposer {
  /// What the composer is doing.
  public enum Activity: Hashable, Sendable {
    case writing
    /// The text to edit is being fetched.
    case fetching
    /// The entry is being sent. Its text can't change meanwhile, so that it is clear which text was sent.
    case sending
  }

  public let purpose: EntryPurpose
  public weak var delegate: (any EntryComposerDelegate)?
  public private(set) var entry: Entry
  public internal(set) var activity = Activity.writing
  /// Whether the audience is still undecided; the entry can't be sent until it is chosen.
  public private(set) var isAudienceOpen: Bool

  let account: Account
  private let drafts: OutgoingStore?
  let keeper: DraftKeeper
  /// What the entry started as. No draft is saved of it unchanged.
  private var original: Entry
  private var choseVisibility = false
  /// Characters of the text before the cursor, when the text was replaced; nil: all.
  public private(set) var cursor: Int?
  /// What is known of its files.
  private(set) var files: [OutgoingFile] = []
  /// What is saved with each draft, so that it can be opened without the server.
  private lazy var subject = purpose.subject
  /// The attempts to send it that may have arrived.
  private var attempts: [OutgoingEntry.Attempt] = []
  /// Why it could not be sent; nil if nothing failed.
  private var failure: String?
  /// Why drafts can't be saved; nil if they can.
  private var keepFailure: StoreError?
  /// Another message about the entry; nil if none.
  private var remark: String?
  var fetch: Fetch?
  /// A command's edit that is completed once the text to edit is there.
  private var openEdit: OutgoingStore.Taken?
  /// Texts that are saved with the draft and aren't part of the entry.
  private var fieldTexts: [EntryField: String] = [:]

  /// How it is posted if it is longer than the server takes.
  public internal(set) var threadForm = ThreadForm.none

  /// Creates an entry for `purpose`. ``begin()`` loads the saved draft, if any.
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
    keeper.didKeep = { [weak self] in self?.noteKept($0) }
    keeper.didPart = { [weak self] in
      self?.say(EntryWords.draftChangedElsewhere)
    }
    account.addObserver(self)
  }

  /// Loads the unsent draft for the same purpose, if any, and appends what has been typed meanwhile. Fetches the text
  /// to edit if needed. Call once, after setting the delegate. An entry that `isRestored` with the screen says nothing
  /// of its draft: the writer was just at it.
  public func begin(isRestored: Bool = false) {
    keeper.take { [weak self] taken in
      guard let self else { return }
      takeUp(taken)
      if isRestored, remark == EntryWords.restored(isEdit: purpose.isEdit, others: 0) {
        remark = nil
        delegate?.composerDidChange(self)
      }
      delegate?.composerDidBegin(self)
    }
  }

  /// Goes on with an entry that was discarded, instead of ``begin()``.
  public func resume(_ discarded: DiscardedEntry) {
    entry = rules.resume(discarded.content.entry)
    cursor = discarded.content.cursor
    fieldTexts = EntryField.texts(in: discarded.content)
    isAudienceOpen = discarded.content.isAudienceOpen
    attempts = discarded.content.attempts
    files = knownFiles(among: discarded.content.files)
    activity = .writing
    takeUsualVisibility()
    noteChange()
    delegate?.composerDidReplaceText(self)
    delegate?.composerDidChange(self)
  }

  private func takeUp(_ taken: OutgoingStore.Taken, source: QwinkSource? = nil) {
    guard activity != .sending else { return }
    delegate?.composerWillTakeUp(self)
    guard var found = taken.entry else {
      if taken.heldElsewhere > 0 { say(EntryWords.draftOpenElsewhere) }
      return fetchSource()
    }
    if purpose.isEdit, found.isOpen, source == nil {
      openEdit = taken
      return fetchSource()
    }
    // The user may have typed before the draft was loaded: append that to it.
    guard entry.contentWarning == original.contentWarning, entry.poll == original.poll,
      entry.text.hasPrefix(original.text)
    else {
      keeper.leave()
      noteChange()
      return say(EntryWords.moreDrafts(1))
    }
    let typed = entry.text.dropFirst(original.text.count)
    let chosen = choseVisibility ? entry.visibility : nil
    let added = entry.attachmentIDs.filter { !original.attachmentIDs.contains($0) }
    complete(&found, source: source)
    entry = rules.resume(found.entry)
    entry.text += typed
    entry.attachmentIDs += added
    cursor = typed.isEmpty ? found.cursor : nil
    isAudienceOpen = found.isAudienceOpen
    attempts = found.attempts
    files = knownFiles(among: (found.files ?? []) + files)
    fieldTexts = EntryField.texts(in: found).merging(fieldTexts) { $1 }
    if let chosen {
      entry.visibility = isAudienceOpen ? chosen : chosen.narrower(entry.visibility)
      isAudienceOpen = false
    }
    takeUsualVisibility()
    activity = .writing
    remark = EntryWords.restored(isEdit: purpose.isEdit, others: taken.others)
    if !typed.isEmpty || chosen != nil || !added.isEmpty || found.given != nil { noteChange() }
    delegate?.composerDidReplaceText(self)
    delegate?.composerDidChange(self)
  }

  /// Completes what a command has left as the command would, and takes over what only the command carries out.
  private func complete(_ found: inout OutgoingEntry, source: QwinkSource?) {
    guard let given = found.given else { return }
    if given.isOpen {
      found.entry = given.complete(
        by: rules, usual: account.identity.usualVisibility ?? .direct, source: source,
        idempotencyKey: found.entry.idempotencyKey)
      found.isAudienceOpen = found.isAudienceOpen && rules.leavesAudienceOpen(usual: nil)
    }
    if let source {
      original.text = source.text
      original.contentWarning = source.contentWarning
    }
    if given.isThread { threadForm = given.isNumbered ? .numbered : .plain }
    if let time = given.time { fieldTexts[.time] = time }
    if found.entry.attachmentIDs.isEmpty, !given.files.isEmpty {
      fieldTexts[.givenFiles] = GivenFile.text(of: given.files)
    }
  }

  /// Files that a command was to attach, and that aren't on the server yet.
  var givenFiles: [GivenFile] {
    get { GivenFile.files(in: text(of: .givenFiles)) }
    set { setText(GivenFile.text(of: newValue), of: .givenFiles) }
  }

  private func fetchSource() {
    guard activity == .fetching, fetch == nil, case .edit(let qwink) = purpose else { return }
    guard qwink.poll == nil else { return giveUp(EntryWords.pollNotEditable) }
    fetch = account.fetch(.source(qwink.originalID)) { [weak self] result in self?.take(result) }
  }

  private func take(_ result: Result<QwinkSource, DownloadError>) {
    guard activity == .fetching else { return }
    switch result {
    case .success(let source):
      if let taken = openEdit {
        openEdit = nil
        return takeUp(taken, source: source)
      }
      cursor = nil
      original.text = source.text
      original.contentWarning = source.contentWarning
      entry.text = source.text
      entry.contentWarning = source.contentWarning
      activity = .writing
      delegate?.composerDidReplaceText(self)
      delegate?.composerDidChange(self)
    case .failure(let error): giveUp(EntryWords.editNotFetched(error))
    }
  }

  private func giveUp(_ sentence: String) {
    leaveOpenEdit()
    delegate?.composer(self, didGiveUpWith: sentence)
  }

  /// Leaves a command's edit as it is. Returns whether there is one.
  @discardableResult
  private func leaveOpenEdit() -> Bool {
    guard openEdit != nil else { return false }
    openEdit = nil
    keeper.leave()
    return true
  }

  // MARK: State

  var rules: EntryRules { EntryRules(purpose, me: account.identity.me) }

  var limits: ServerInfo.Limits { account.identity.serverInfo?.limits ?? ServerInfo.Limits() }

  /// Characters left, as the server counts; negative if too long. Nil if it is too long to be counted.
  public var remaining: Int? { rules.remaining(of: entry, limits: limits) }

  /// How many characters the server accepts.
  public var characterLimit: Int { limits.characters }

  /// The handles it mentions, except the user's own: the recipients if it is private.
  public var recipients: [String] { rules.recipients(of: entry) }

  /// Whether there is more than one visibility to choose from.
  public var canChangeVisibility: Bool { rules.visibilities.count > 1 }

  /// Whether there is nothing worth saving.
  public var isUntouched: Bool {
    let isBlank = entry.text.allSatisfy(\.isWhitespace) && entry.contentWarning.allSatisfy(\.isWhitespace)
    let hasExtras = entry.poll != nil || entry.attachmentIDs != original.attachmentIDs
    return (isBlank && !hasExtras) || isUnchanged
  }

  private var isUnchanged: Bool { isAsBegun && entry.language == original.language }

  private var isAsBegun: Bool {
    entry.text == original.text && entry.contentWarning == original.contentWarning && entry.poll == original.poll
      && entry.attachmentIDs == original.attachmentIDs
  }

  // MARK: Writing

  /// The text as typed.
  public var text: String {
    get { entry.text }
    set { change { $0.text = newValue } }
  }

  /// The content warning; empty if none.
  public var contentWarning: String {
    get { entry.contentWarning }
    set { change { $0.contentWarning = newValue } }
  }

  /// The code of the text's language; empty: the account's default.
  public var language: String {
    get { entry.language ?? "" }
    set {
      let code = newValue.trimmed()
      change { $0.language = code.isEmpty ? nil : code }
    }
  }

  /// The text of a field that isn't part of the entry; empty if nothing was typed.
  func text(of field: EntryField) -> String { fieldTexts[field] ?? "" }

  /// Saves the text of a field with the draft.
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
    // A different text or audience needs a new key, or the server would take it for the qwink sent before.
    let same = attempts.last { $0.entry.saysSame(as: rules.outgoing(entry)) }
    entry.idempotencyKey = same?.entry.idempotencyKey ?? UUID().uuidString
    failure = nil
    remark = nil
    noteChange()
    delegate?.composerDidChange(self)
  }

  /// Saves what is known of its files now.
  func noteFiles(_ files: [OutgoingFile]) {
    guard files != self.files else { return }
    self.files = files
    if activity == .writing { noteChange() }
  }

  private func noteChange() {
    keeper.noteChange(size: entry.text.utf8.count + entry.contentWarning.utf8.count) { [weak self] in self?.kept }
  }

  /// Shows why something failed, until the entry changes.
  public func fail(_ sentence: String?) {
    failure = sentence
    delegate?.composerDidChange(self)
  }

  func say(_ sentence: String) {
    remark = sentence
    delegate?.composerDidChange(self)
  }

  /// Takes back what ``fail(_:)`` and ``say(_:)`` show.
  func clearMessages() {
    failure = nil
    remark = nil
    delegate?.composerDidChange(self)
  }

  // MARK: Messages

  /// What went wrong, or may have; nil if nothing.
  public var complaint: String? {
    if let failure { return failure }
    if let keepFailure { return EntryWords.draftNotSaved(keepFailure) }
    guard activity == .writing, let attempt = attempts.last else { return nil }
    return "\(attempt.reason ?? OutgoingEntry.Attempt.endedReason) \(EntryWords.doubt)"
  }

  /// A message that isn't about a failure; nil if none.
  public var note: String? { remark }

  /// Whether drafts can be saved.
  public var canBeKept: Bool { keepFailure == nil }

  // MARK: Saving drafts

  /// What to save; nil if nothing.
  private var kept: OutgoingEntry? { isUntouched ? nil : outgoing }

  var outgoing: OutgoingEntry {
    OutgoingEntry(
      id: keeper.id, purpose: purpose.key, entry: entry, isAudienceOpen: isAudienceOpen, attempts: attempts,
      subject: subject, cursor: delegate?.cursor(of: self), files: keptFiles,
      fields: EntryField.saved(fieldTexts))
  }

  private func noteKept(_ error: StoreError?) {
    guard error != keepFailure else { return }
    keepFailure = error
    delegate?.composerDidChange(self)
  }

  /// Saves the draft now.
  public func keepDraft() {
    if activity == .writing { keeper.keep(kept) }
  }

  /// Saves pending changes now, as before the program stops.
  public func keepPending() {
    if activity == .writing { keeper.keepPending() }
  }

  /// Ends writing and leaves the draft to the next composer for the same purpose. `saved` is called if there is one,
  /// with an error if it can't be saved; it then stays in memory and is found there.
  public func leave(saved: @escaping @MainActor (StoreError?) -> Void) {
    if activity == .writing {
      keeper.didPart = nil
      let hasDraft = drafts != nil && kept != nil
      keeper.keep(kept) { error in if hasDraft || error != nil { saved(error) } }
    }
    activity = .fetching
    if !leaveOpenEdit() { keeper.leave() }
  }

  /// Ends writing and deletes the draft. ``Account/undo()`` calls `reopen` with what was deleted. Returns whether there
  /// was something to delete; does nothing while sending.
  public func discard(reopen: @escaping @MainActor (DiscardedEntry) -> Void) -> Bool {
    guard activity != .sending else { return false }
    let discarded = (activity == .writing ? kept : nil).map { DiscardedEntry(purpose: purpose, content: $0) }
    activity = .fetching
    keeper.didPart = nil
    // What has not been shown is not discarded.
    if !leaveOpenEdit() { keeper.forget() }
    guard let discarded else { return false }
    account.rememberAct(undoneAs: EntryWords.draftRestored) { reopen(discarded) }
    return true
  }

  /// Whether ``beginAnother()`` does anything.
  var canBeginAnother: Bool { activity == .writing && !purpose.isEdit && !isUntouched }

  /// Leaves the draft, and begins another entry for the same purpose. Does nothing if there is nothing to save, and for
  /// an edit: a qwink has one text.
  public func beginAnother() {
    guard canBeginAnother else { return }
    keeper.keep(kept)
    keeper.leave()
    beginAnew()
    remark = EntryWords.anotherBegun
    delegate?.composerDidReplaceText(self)
    delegate?.composerDidChange(self)
  }

  // MARK: Sending

  /// Sends the entry, or reports why it can't be sent.
  public func send() {
    guard activity == .writing, delegate?.composerShouldSend(self) ?? true, activity == .writing else { return }
    if let parts { return send(parts) }
    if let problem { return fail(EntryWords.problem(problem, canSplit: canSplit && threadForm == .none)) }
    if let pollProblem { return fail(pollProblem) }
    failure = nil
    remark = nil
    if !publishTime.trimmed().isEmpty { return schedule() }
    // Sent even where it is not worth a draft, such as an edit that leaves nothing but pictures.
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
    original = rules.start(
      usual: account.identity.usualVisibility, language: account.identity.chosenLanguage,
      idempotencyKey: UUID().uuidString)
    entry = original
    files = knownFiles(among: nil)
    isAudienceOpen = rules.leavesAudienceOpen(usual: account.identity.usualVisibility)
  }

  /// Uses the usual visibility if none has been chosen. A chosen one is changed only by a key.
  private func takeUsualVisibility() {
    guard isAudienceOpen, let usual = account.identity.usualVisibility else { return }
    entry.visibility = rules.visibility(preferring: usual)
    isAudienceOpen = false
    guard failure == EntryProblem.noAudience.sentence else { return }
    // It was not sent, and nobody would know why it is still open.
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
    delegate?.composerWillTakeUp(self)
    // Only now is the own handle known, which is left out of the mentions.
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
    if activity == .writing { takeUsualVisibility() }
    delegate?.composerDidChange(self)
  }
}
