import FoundationEssentials
public import PaneKit
public import QwinkleModel
public import QwinkleService
public import QwinkleStore
import Terminal
import Timekeeping

/// A qwink being written: a sheet over the lower part of the screen. What is typed is kept, however it is left.
@MainActor
public final class EntryViewController: ViewController {
  private static let draftDelay = Duration.milliseconds(300)
  private static let visibilities: [Visibility] = [.public, .unlisted, .private]

  private let feed: QwinkFeed
  private let drafts: DraftFile?
  private let rule = RuleView()
  private let editor = TextEditor()
  private let meta = BarView()
  private var metaRows = 1
  private let hints = BarView()

  private var entry: Entry
  private var isSending = false
  private var failure: String?
  private var draftTimer: ProgramTimer?

  /// Takes up what was kept of an entry that was not sent, where there is one.
  public init(feed: QwinkFeed, drafts: DraftFile?, keymap: Keymap) {
    self.feed = feed
    self.drafts = drafts
    self.entry = drafts?.load() ?? Entry(text: "", idempotencyKey: UUID().uuidString)
    super.init()
    title = "New qwink"
    keyContext = .entry
    for subview in [rule, editor, meta, hints] { view.addSubview(subview) }
    rule.title = [TextRun("new qwink", .strong)]
    hints.leading = StatusWords.hints(keymap: keymap, actions: [.entrySend, .entryLeave, .entryVisibility])
    editor.text = entry.text
    editor.didChange.add(self) { $0.textDidChange() }
    view.layout = { [weak self] size in self?.arrange(in: size) }
    preferredFirstResponder = editor
    preferredSheetRows = { [weak self] size in self?.sheetRows(in: size) ?? size.rows }
    feed.addObserver(self)
    on(.entrySend) { [weak self] in self?.send() }
    on(.entryLeave) { [weak self] in self?.leave() }
    on(.entryVisibility) { [weak self] in self?.changeVisibility() }
    didAppear = { [weak self] in self.map { $0.window?.application?.addObserver($0) } }
    setSending(feed.isPosting(key: entry.idempotencyKey))
  }

  // MARK: Actions

  private func send() {
    guard !isSending else { return }
    editor.tellChanges()
    guard !editor.text.allSatisfy(\.isWhitespace) else {
      failure = "There is nothing to post yet: write something, or Esc to leave."
      return updateWords()
    }
    guard remaining >= 0 else {
      failure = "It is \(-remaining == 1 ? "1 character" : "\(-remaining) characters") too long for this server."
      return updateWords()
    }
    failure = nil
    keepDraft()
    setSending(true)
    feed.post(entry)
  }

  /// While it is on its way the text stays as it is: it could no longer be said which of two was posted.
  private func setSending(_ isSending: Bool) {
    self.isSending = isSending
    editor.isEditable = !isSending
    updateWords()
  }

  /// Where the draft cannot be kept, it takes a second time to leave it.
  private func leave() {
    editor.tellChanges()
    let wasTold = failure != nil
    if keepDraft() || wasTold { dismiss() }
  }

  private func changeVisibility() {
    guard !isSending else { return }
    let index = Self.visibilities.firstIndex(of: entry.visibility) ?? 0
    entry.visibility = Self.visibilities[(index + 1) % Self.visibilities.count]
    entryDidChange()
  }

  private func textDidChange() {
    entry.text = editor.text
    entryDidChange()
    window?.setNeedsLayout()
  }

  private func entryDidChange() {
    // Another text or audience is another qwink: a server that remembers the key must not take it for the one before.
    entry.idempotencyKey = UUID().uuidString
    failure = nil
    updateWords()
    draftTimer = feed.clock.schedule(after: Self.draftDelay) { [weak self] in self?.keepDraft() }
  }

  /// Writes down what is typed so far. Returns whether that went well; where not, the sheet says why.
  @discardableResult
  public func keepDraft() -> Bool {
    draftTimer = nil
    do {
      try drafts?.save(entry)
      return true
    } catch {
      failure = "The draft cannot be kept: \(error.sentence)"
      updateWords()
      return false
    }
  }

  // MARK: Words

  private var limits: ServerInfo.Limits { feed.serverInfo?.limits ?? ServerInfo.Limits() }

  /// Characters that are left, as the server counts.
  private var remaining: Int { limits.characters - CharacterCount.count(entry.text, limits: limits) }

  private func updateWords() {
    let left = remaining
    var words: BarView.Item
    if let failure {
      words = .init(failure, .error)
    } else if isSending {
      words = .init("Posting…", .accent)
    } else {
      words = .init(Self.words(for: entry.visibility), .dim)
    }
    words.priority = failure == nil ? 9 : 11
    meta.leading = [words]
    fitMeta()
    meta.trailing = [
      .init(left < 0 ? "\(-left) too many" : "\(left)", left < 0 ? .error : left < 50 ? .warning : .dim, priority: 10)
    ]
  }

  /// Room for a few lines, and more as they are needed, up to half of the screen.
  private func sheetRows(in size: Size) -> Int {
    let around = 2 + metaRows
    let rows = max(5, editor.rows(forColumns: textColumns(in: size)) + 1) + around
    return min(size.rows, max(7, min(rows, size.rows / 2)))
  }

  /// Lines longer than this are hard to read.
  private func textColumns(in size: Size) -> Int { max(1, min(size.columns - 2, 100)) }

  /// Why something failed is never cut where there is room for more rows of it.
  private func fitMeta() {
    let size = view.frame.size
    let rows = failure == nil ? 1 : meta.rows(forColumns: size.columns, limit: max(1, size.rows / 3))
    guard rows != metaRows else { return }
    metaRows = rows
    view.setNeedsLayout()
  }

  private static func words(for visibility: Visibility) -> String {
    switch visibility {
    case .public: "public: everybody may read it"
    case .unlisted: "unlisted: everybody may read it, not in the public timeline"
    case .private: "followers: only those who follow you"
    case .direct: "private: only those it names"
    }
  }

  private func arrange(in size: Size) {
    fitMeta()
    rule.frame = Rect(row: 0, column: 0, rows: 1, columns: size.columns)
    editor.frame = Rect(row: 1, column: 1, rows: max(1, size.rows - 2 - metaRows), columns: textColumns(in: size))
    meta.frame = Rect(row: size.rows - 1 - metaRows, column: 0, rows: metaRows, columns: size.columns)
    hints.frame = Rect(row: size.rows - 1, column: 0, rows: 1, columns: size.columns)
  }
}

extension EntryViewController: ApplicationObserver {
  public func application(_ application: Application, didChangeTo phase: ApplicationPhase) {
    guard phase == .background || phase == .terminating else { return }
    editor.tellChanges()
    if draftTimer != nil { keepDraft() }
  }
}

extension EntryViewController: QwinkFeedObserver {
  public func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry) {
    guard isSending, entry.idempotencyKey == self.entry.idempotencyKey else { return }
    isSending = false
    draftTimer = nil
    dismiss()
  }

  public func feed(_ feed: QwinkFeed, didFailToPost entry: Entry, with error: DownloadError) {
    guard isSending, entry.idempotencyKey == self.entry.idempotencyKey else { return }
    failure = error.sentenceForPost
    setSending(false)
  }

  public func feedDidIdentify(_ feed: QwinkFeed) {
    updateWords()
  }
}
