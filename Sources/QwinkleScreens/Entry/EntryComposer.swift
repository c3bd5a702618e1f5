import FoundationEssentials
public import QwinkleModel
public import QwinkleService
public import QwinkleStore
import Timekeeping

/// Told how it goes with an entry. Held weakly.
@MainActor
public protocol EntryComposerDelegate: AnyObject {
  /// What is said of the entry is different now: its audience, what is left, what it does, why it failed.
  func composerDidChange(_ composer: EntryComposer)
  /// Text and warning came from elsewhere and have to be shown.
  func composerDidReplaceText(_ composer: EntryComposer)
  /// It was sent, and this is what became of it. The composer has begun anew.
  func composer(_ composer: EntryComposer, didSend qwink: Qwink)
  /// It cannot be written: what is to be edited could not be fetched, or must not be edited. `sentence` says why.
  func composer(_ composer: EntryComposer, didGiveUpWith sentence: String)
}

/// Writes one entry, whatever it is for and however it looks: what it starts with, counting, keeping what is typed, sending,
/// failing.
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

  private static let draftDelay = Duration.milliseconds(300)

  public let purpose: EntryPurpose
  public weak var delegate: (any EntryComposerDelegate)?
  public private(set) var entry: Entry
  public private(set) var activity = Activity.writing
  /// Why it could not be sent or kept; nil: nothing went wrong.
  public private(set) var failure: String?

  private let feed: QwinkFeed
  private let drafts: DraftFile?
  /// What it began with. Of that no draft is kept.
  private var original: Entry
  private var choseVisibility = false
  private var draftTimer: ProgramTimer?
  private var fetch: Fetch?

  /// Takes up what was kept of an entry for `purpose` that was not sent, where there is one.
  public init(purpose: EntryPurpose, feed: QwinkFeed, drafts: DraftFile?) {
    self.purpose = purpose
    self.feed = feed
    self.drafts = drafts
    let rules = EntryRules(purpose, me: feed.me)
    original = rules.start(usual: feed.usualVisibility, idempotencyKey: UUID().uuidString)
    entry = original
    if let draft = drafts?.load(purpose) {
      entry = rules.resume(draft)
    } else if case .edit = purpose {
      activity = .fetching
    }
    if feed.isPosting(key: entry.idempotencyKey) { activity = .sending }
    feed.addObserver(self)
  }

  /// Fetches what has to be fetched first. To be called once, when the delegate is set.
  public func begin() {
    guard activity == .fetching, fetch == nil, case .edit(let qwink) = purpose else { return }
    guard qwink.poll == nil else {
      delegate?.composer(self, didGiveUpWith: "A qwink with a poll cannot be changed here: its votes would be lost.")
      return
    }
    fetch = feed.fetch(.source(qwink.originalID)) { [weak self] result in self?.take(result) }
  }

  private func take(_ result: Result<Download, DownloadError>) {
    guard activity == .fetching else { return }
    switch result {
    case .success(.source(let source)):
      original.text = source.text
      original.contentWarning = source.contentWarning
      entry.text = source.text
      entry.contentWarning = source.contentWarning
      activity = .writing
      delegate?.composerDidReplaceText(self)
      delegate?.composerDidChange(self)
    case .success: break
    case .failure(let error):
      delegate?.composer(self, didGiveUpWith: "What you wrote cannot be fetched to be changed. \(error.sentence)")
    }
  }

  // MARK: What is known of it

  private var rules: EntryRules { EntryRules(purpose, me: feed.me) }

  private var limits: ServerInfo.Limits { feed.serverInfo?.limits ?? ServerInfo.Limits() }

  /// Characters that are left, as the server counts; below 0 it is too long.
  public var remaining: Int { limits.characters - rules.count(entry, limits: limits) }

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
    let choices = rules.visibilities
    guard choices.count > 1, let index = choices.firstIndex(of: entry.visibility) else { return }
    choseVisibility = choseVisibility || activity == .writing
    change { $0.visibility = choices[(index + 1) % choices.count] }
  }

  private func change(_ change: (inout Entry) -> Void) {
    guard activity == .writing else { return }
    var changed = entry
    change(&changed)
    guard changed != entry else { return }
    entry = changed
    // Another text or audience is another qwink: a server that remembers the key must not take it for the one before.
    entry.idempotencyKey = UUID().uuidString
    failure = nil
    draftTimer = feed.clock.schedule(after: Self.draftDelay) { [weak self] in self?.keepDraft() }
    delegate?.composerDidChange(self)
  }

  /// Says why something about it went wrong, until it changes.
  public func fail(_ sentence: String?) {
    failure = sentence
    delegate?.composerDidChange(self)
  }

  // MARK: Keeping

  /// Writes down what is typed so far. Returns whether that went well; where not, ``failure`` says why.
  @discardableResult
  public func keepDraft() -> Bool {
    draftTimer = nil
    guard activity != .fetching else { return true }
    do {
      try drafts?.save(isUntouched ? nil : entry, for: purpose)
      return true
    } catch {
      fail("The draft cannot be kept: \(error.sentence)")
      return false
    }
  }

  /// Writes down what was typed since that was done last, as before the program stops.
  public func keepPending() {
    if draftTimer != nil { keepDraft() }
  }

  // MARK: Sending

  /// Sends it, or says why not.
  public func send() {
    guard activity == .writing else { return }
    if let problem {
      return fail(problem.sentence)
    }
    failure = nil
    keepDraft()
    activity = .sending
    let outgoing = rules.outgoing(entry)
    if case .edit(let qwink) = purpose { feed.edit(qwink.originalID, outgoing) } else { feed.post(outgoing) }
    delegate?.composerDidChange(self)
  }

  private var problem: EntryProblem? {
    if case .edit = purpose, isAsBegun { return .unchanged }
    return rules.problem(with: entry, limits: limits)
  }

  private func beginAnew() {
    draftTimer = nil
    failure = nil
    activity = .writing
    choseVisibility = false
    original = rules.start(usual: feed.usualVisibility, idempotencyKey: UUID().uuidString)
    entry = original
  }
}

extension EntryComposer: QwinkFeedObserver {
  public func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry) {
    guard activity == .sending, entry.idempotencyKey == self.entry.idempotencyKey else { return }
    if choseVisibility { feed.setUsualVisibility(entry.visibility) }
    try? drafts?.forget(entry)
    beginAnew()
    delegate?.composer(self, didSend: qwink)
  }

  public func feed(_ feed: QwinkFeed, didFailToPost entry: Entry, with error: DownloadError) {
    guard activity == .sending, entry.idempotencyKey == self.entry.idempotencyKey else { return }
    activity = .writing
    if case .edit = purpose { fail(error.sentenceForEdit) } else { fail(error.sentenceForPost) }
  }

  public func feedDidIdentify(_ feed: QwinkFeed) {
    // Only now is it known whose name to leave out, and who usually reads what I write.
    if activity == .writing, isAsBegun, !purpose.isEdit {
      let start = rules.start(usual: feed.usualVisibility, idempotencyKey: entry.idempotencyKey)
      if start != original {
        original = start
        entry = start
        delegate?.composerDidReplaceText(self)
      }
    }
    delegate?.composerDidChange(self)
  }
}
