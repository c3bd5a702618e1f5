import FoundationEssentials
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import Timekeeping

/// Told how it goes with an entry. Held weakly.
@MainActor
public protocol EntryComposerDelegate: AnyObject {
  /// What is said of the entry is different now: its audience, what is left, what it does, why it failed.
  func composerDidChange(_ composer: EntryComposer)
  /// What was typed and not told yet is wanted.
  func composerWillTakeUp(_ composer: EntryComposer)
  /// Text and warning came from elsewhere and have to be shown.
  func composerDidReplaceText(_ composer: EntryComposer)
  /// It was sent, and this is what became of it. The composer has begun anew.
  func composer(_ composer: EntryComposer, didSend qwink: Qwink)
  /// It cannot be written: what is to be edited could not be fetched, or must not be edited. `sentence` says why.
  func composer(_ composer: EntryComposer, didGiveUpWith sentence: String)
}

/// Writes one entry, whatever it is for and however it looks: what it starts with, counting, keeping what is typed,
/// sending, failing.
@MainActor
public final class EntryComposer {
  /// What it does.
  public enum Activity: Hashable, Sendable {
    case writing
    /// What is to be edited is on its way here.
    case fetching
    /// The entry is on its way. Its text stays as it is: it could no longer be said which of two was sent.
    case sending
  }

  public let purpose: EntryPurpose
  public weak var delegate: (any EntryComposerDelegate)?
  public private(set) var entry: Entry
  public private(set) var activity = Activity.writing
  /// Whether nobody has said who may read it, so that it cannot be sent yet.
  public private(set) var isAudienceOpen: Bool

  private let account: Account
  private let drafts: OutgoingStore?
  private let keeper: DraftKeeper
  /// What it began with. Of that no draft is kept.
  private var original: Entry
  private var choseVisibility = false
  /// The times that it may have arrived.
  private var attempts: [OutgoingEntry.Attempt] = []
  /// Why it could not be sent; nil: nothing went wrong.
  private var failure: String?
  /// Why it cannot be kept; nil: it can.
  private var keepFailure: StoreError?
  /// What else is to be known of it.
  private var remark: String?
  private var fetch: Fetch?

  /// An entry for `purpose`. What was kept of one that was not sent is taken up by ``begin()``.
  public init(purpose: EntryPurpose, account: Account, drafts: OutgoingStore?) {
    self.purpose = purpose
    self.account = account
    self.drafts = drafts
    keeper = DraftKeeper(purpose, in: drafts, clock: account.clock)
    let rules = EntryRules(purpose, me: account.identity.me)
    original = rules.start(usual: account.identity.usualVisibility, idempotencyKey: UUID().uuidString)
    entry = original
    isAudienceOpen = rules.leavesAudienceOpen(usual: account.identity.usualVisibility)
    if purpose.isEdit { activity = .fetching }
    keeper.didKeep = { [weak self] in self?.noteKept($0) }
    keeper.didPart = { [weak self] in
      self?.say("Another Qwinkle has changed this draft too. Both are kept: the other opens after this one.")
    }
    account.addObserver(self)
  }

  /// Takes up what was kept of an entry for the same purpose that was not sent, where there is one; what is typed
  /// meanwhile stands behind it. Fetches what has to be fetched first. To be called once, when the delegate is set.
  public func begin() {
    keeper.take { [weak self] taken in self?.takeUp(taken) }
  }

  private func takeUp(_ taken: OutgoingStore.Taken) {
    guard activity != .sending else { return }
    delegate?.composerWillTakeUp(self)
    guard let found = taken.entry else {
      if taken.heldElsewhere > 0 { say("A draft of this is being written elsewhere. This is another one.") }
      return fetchSource()
    }
    // Keys may have been faster than the disk: they were meant to go on.
    guard entry.contentWarning == original.contentWarning, entry.text.hasPrefix(original.text) else {
      keeper.leave()
      noteChange()
      return say("Another draft of this is kept: it opens after this one.")
    }
    let typed = entry.text.dropFirst(original.text.count)
    let chosen = choseVisibility ? entry.visibility : nil
    entry = rules.resume(found.entry)
    entry.text += typed
    isAudienceOpen = found.isAudienceOpen
    attempts = found.attempts
    if let chosen {
      entry.visibility = isAudienceOpen ? chosen : chosen.narrower(entry.visibility)
      isAudienceOpen = false
    }
    takeUsualVisibility()
    activity = .writing
    if taken.others > 0 {
      remark =
        taken.others == 1
        ? "One more draft of this is kept: it opens after this one."
        : "\(taken.others) more drafts of this are kept: they open after this one."
    }
    if !typed.isEmpty || chosen != nil { noteChange() }
    delegate?.composerDidReplaceText(self)
    delegate?.composerDidChange(self)
  }

  private func fetchSource() {
    guard activity == .fetching, fetch == nil, case .edit(let qwink) = purpose else { return }
    guard qwink.poll == nil else {
      delegate?.composer(self, didGiveUpWith: "A qwink with a poll cannot be changed here: its votes would be lost.")
      return
    }
    fetch = account.fetch(.source(qwink.originalID)) { [weak self] result in self?.take(result) }
  }

  private func take(_ result: Result<QwinkSource, DownloadError>) {
    guard activity == .fetching else { return }
    switch result {
    case .success(let source):
      original.text = source.text
      original.contentWarning = source.contentWarning
      entry.text = source.text
      entry.contentWarning = source.contentWarning
      activity = .writing
      delegate?.composerDidReplaceText(self)
      delegate?.composerDidChange(self)
    case .failure(let error):
      delegate?.composer(self, didGiveUpWith: "What you wrote cannot be fetched to be changed. \(error.sentence)")
    }
  }

  // MARK: What is known of it

  private var rules: EntryRules { EntryRules(purpose, me: account.identity.me) }

  private var limits: ServerInfo.Limits { account.identity.serverInfo?.limits ?? ServerInfo.Limits() }

  /// Characters that are left, as the server counts; below 0 it is too long. Nil: it is so long that nobody counts it.
  public var remaining: Int? { rules.remaining(of: entry, limits: limits) }

  /// The handles that it names, without oneself: where it is private, those who get it.
  public var recipients: [String] { rules.recipients(of: entry) }

  /// Whether there is a choice who may read it.
  public var canChangeVisibility: Bool { rules.visibilities.count > 1 }

  /// Whether nothing was written that would have to be kept.
  public var isUntouched: Bool {
    let isBlank = entry.text.allSatisfy(\.isWhitespace) && entry.contentWarning.allSatisfy(\.isWhitespace)
    return isBlank || isAsBegun
  }

  private var isAsBegun: Bool {
    entry.text == original.text && entry.contentWarning == original.contentWarning
  }

  // MARK: Writing

  /// The text as it is typed.
  public var text: String {
    get { entry.text }
    set { change { $0.text = newValue } }
  }

  /// What is warned of before it is opened; empty: nothing.
  public var contentWarning: String {
    get { entry.contentWarning }
    set { change { $0.contentWarning = newValue } }
  }

  /// Goes on to the next that may be allowed to read it, round and round.
  public func changeVisibility() {
    guard canChangeVisibility, activity == .writing else { return }
    let next = rules.visibility(after: isAudienceOpen ? nil : entry.visibility)
    let wasOpen = isAudienceOpen
    choseVisibility = true
    isAudienceOpen = false
    change(always: wasOpen) { $0.visibility = next }
  }

  private func change(always: Bool = false, _ change: (inout Entry) -> Void) {
    guard activity == .writing else { return }
    var changed = entry
    change(&changed)
    guard always || changed != entry else { return }
    entry = changed
    // Another text or audience is another qwink: a server that remembers the key must not take it for the one before.
    let same = attempts.last { $0.entry.saysSame(as: rules.outgoing(entry)) }
    entry.idempotencyKey = same?.entry.idempotencyKey ?? UUID().uuidString
    failure = nil
    remark = nil
    noteChange()
    delegate?.composerDidChange(self)
  }

  private func noteChange() {
    keeper.noteChange(size: entry.text.utf8.count + entry.contentWarning.utf8.count) { [weak self] in self?.kept }
  }

  /// Says why something about it went wrong, until it changes.
  public func fail(_ sentence: String?) {
    failure = sentence
    delegate?.composerDidChange(self)
  }

  private func say(_ sentence: String) {
    remark = sentence
    delegate?.composerDidChange(self)
  }

  // MARK: What is to be said of it

  /// What went wrong with it, and what may yet; nil: nothing.
  public var complaint: String? {
    if let failure { return failure }
    if let keepFailure { return "The draft cannot be kept: \(keepFailure.sentence)" }
    guard activity == .writing, let attempt = attempts.last else { return nil }
    return "\(attempt.reason ?? OutgoingEntry.Attempt.endedReason) \(EntryWords.doubt)"
  }

  /// What is worth knowing besides; nil: nothing.
  public var note: String? { remark }

  /// Whether it is written down, or will be in a moment.
  public var canBeKept: Bool { keepFailure == nil }

  // MARK: Keeping

  /// What is to be written down; nil: nothing.
  private var kept: OutgoingEntry? {
    guard !isUntouched else { return nil }
    return OutgoingEntry(
      id: keeper.id, purpose: purpose.key, entry: entry, isAudienceOpen: isAudienceOpen, attempts: attempts)
  }

  private func noteKept(_ error: StoreError?) {
    guard error != keepFailure else { return }
    keepFailure = error
    delegate?.composerDidChange(self)
  }

  /// Writes down what is typed so far.
  public func keepDraft() {
    if activity == .writing { keeper.keep(kept) }
  }

  /// Writes down what was typed since that was done last, as before the program stops.
  public func keepPending() {
    if activity == .writing { keeper.keepPending() }
  }

  /// Ends the writing: what was typed is kept, for who writes for the same purpose next. `failed` hears why it cannot
  /// be written down; it stays in memory then, and is found there.
  public func leave(failed: @escaping @MainActor (StoreError) -> Void) {
    if activity == .writing {
      keeper.didPart = nil
      keeper.keep(kept) { error in if let error { failed(error) } }
    }
    activity = .fetching
    keeper.leave()
  }

  // MARK: Sending

  /// Sends it, or says why not.
  public func send() {
    guard activity == .writing else { return }
    if let problem {
      return fail(problem.sentence)
    }
    failure = nil
    remark = nil
    guard let kept else { return }
    keeper.keep(kept)
    activity = .sending
    var edited: Qwink.ID?
    if case .edit(let qwink) = purpose { edited = qwink.originalID }
    delegate?.composerDidChange(self)
    account.posts.send(kept, as: rules.outgoing(entry), edited: edited)
  }

  private var problem: EntryProblem? {
    if case .edit = purpose, isAsBegun { return .unchanged }
    if isAudienceOpen { return .noAudience }
    return rules.problem(with: entry, limits: limits)
  }

  private func beginAnew() {
    keeper.detach()
    failure = nil
    remark = nil
    attempts = []
    activity = .writing
    choseVisibility = false
    original = rules.start(usual: account.identity.usualVisibility, idempotencyKey: UUID().uuidString)
    entry = original
    isAudienceOpen = rules.leavesAudienceOpen(usual: account.identity.usualVisibility)
  }

  /// Where nobody has said who may read it, who usually may does. What has been said is never changed but by a key.
  private func takeUsualVisibility() {
    guard isAudienceOpen, let usual = account.identity.usualVisibility else { return }
    entry.visibility = rules.visibility(preferring: usual)
    isAudienceOpen = false
    if failure == EntryProblem.noAudience.sentence { failure = nil }
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
    activity = .writing
    fail(EntryWords.outcome(outcome, isEdit: purpose.isEdit))
  }

  public func identityDidChange(_ identity: Identity) {
    delegate?.composerWillTakeUp(self)
    // Only now is it known whose name to leave out.
    if activity == .writing, isAsBegun, !purpose.isEdit {
      let start = rules.start(usual: entry.visibility, idempotencyKey: entry.idempotencyKey)
      if start.text != original.text || start.contentWarning != original.contentWarning {
        original = start
        entry.text = start.text
        entry.contentWarning = start.contentWarning
        delegate?.composerDidReplaceText(self)
      }
    }
    if activity == .writing { takeUsualVisibility() }
    delegate?.composerDidChange(self)
  }
}
