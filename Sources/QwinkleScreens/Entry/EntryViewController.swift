public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
public import QwinkleStore
public import Terminal

/// Writes an entry: a sheet over the lower part of the screen. However it is closed, the text is kept as a draft.
@MainActor
public final class EntryViewController: ViewController {
  private static let warningSign = "⚠ "
  /// Lines longer than this are hard to read.
  private static let maximumColumns = 100
  private static let minimumRowsOfText = 4

  public weak var navigator: (any Navigator)?

  private let composer: EntryComposer

  /// Whether `entry` is being written here, on screen.
  func isWriting(_ entry: Entry) -> Bool {
    isOnScreen && composer.entry.idempotencyKey == entry.idempotencyKey
  }
  private let keymap: Keymap

  private let rule = RuleView()
  private let quote: EntryQuoteView
  private let warningSign = Label(TextRun(EntryViewController.warningSign, .warning))
  private let warning = TextEditor(isSingleLine: true)
  private let editor = TextEditor()
  /// Errors and warnings. They stand above the line with the audience, which nothing ever covers.
  private let notes = BarView()
  private let meta = BarView()
  private let hints = BarView()
  private let completer: WordCompleter
  private var noteRows = 0
  /// What to go on with instead of a kept draft.
  private var discarded: DiscardedEntry?
  private var isWarningOpen = false

  /// Opens the draft for `purpose` if one was kept, or `discarded` instead.
  public init(
    purpose: EntryPurpose, account: Account, drafts: OutgoingStore?, keymap: Keymap, discarded: DiscardedEntry? = nil
  ) {
    self.discarded = discarded
    composer = EntryComposer(purpose: purpose, account: account, drafts: drafts)
    completer = WordCompleter(editor: editor, account: account)
    quote = EntryQuoteView(of: purpose)
    self.keymap = keymap
    super.init()
    title = EntryWords.title(of: purpose, me: account.identity.me)
    keyContext = .entry
    for subview in [rule, quote, warningSign, warning, editor, notes, meta, hints, completer.bar] {
      view.addSubview(subview)
    }
    rule.title = [TextRun(title, .strong)]
    warning.label = EntryWords.warningLabel
    warning.placeholder = EntryWords.warningPlaceholder
    preferredFirstResponder = editor
    showText()
    editor.didChange.add(self) { $0.textDidChange() }
    warning.didChange.add(self) { $0.textDidChange() }
    completer.bar.isHidden = true
    completer.likely = purpose.likelyNames
    completer.didShow = { [weak self] in self?.showChoices() }
    registerActions()
    composer.delegate = self
  }

  private func registerActions() {
    on(.entrySend) { [weak self] in self?.send() }
    on(.entryLeave) { [weak self] in self?.leave() }
    on(.entryVisibility) { [weak self] in self?.composer.changeVisibility() }
    on(.entryWarning) { [weak self] in self?.toggleWarning() }
    on(.entryDiscard) { [weak self] in self?.discard() }
    on(.entryEditor) { [weak self] in self?.editOutside() }
    on(.entryComplete, when: { [weak self] in self?.isInWarning == false }) { [weak self] in self?.completer.complete()
    }
    on(.entryCompleteBack, when: { [weak self] in self?.isInWarning == false }) { [weak self] in
      self?.completer.complete(backward: true)
    }
  }

  override public func viewDidAppear() {
    if let application = window?.application {
      application.addObserver(self)
      application.didChangePendingKeys.add(self) { $0.updateHints() }
    }
    guard let discarded else { return composer.begin() }
    self.discarded = nil
    composer.resume(discarded)
    editor.cursorPosition = discarded.cursor
  }

  /// What the entry is for.
  public var purpose: EntryPurpose { composer.purpose }

  // MARK: Actions

  private func send() {
    tellChanges()
    composer.send()
  }

  /// Closes at once; if the draft cannot be saved, the screen below says so.
  private func leave() {
    if isInWarning { return closeWarning() }
    if completer.cancel() { return }
    tellChanges()
    composer.leave { [weak navigator = self.navigator, purpose = self.purpose] error in
      if let error {
        navigator?.say(EntryWords.notSaved(error, purpose: purpose.key), .error)
      } else {
        navigator?.say(EntryWords.draftSaved, .new)
      }
    }
    dismiss()
  }

  /// Deletes the draft and closes.
  private func discard() {
    guard composer.activity != .sending else { return }
    tellChanges()
    let hadDraft = composer.discard(cursor: editor.cursorPosition) { [weak navigator = self.navigator] in
      navigator?.reopen($0)
    }
    dismiss()
    if hadDraft { navigator?.say(ActionWords.undoable(EntryWords.draftDiscarded), .new) }
  }

  /// Opens the text in an editor of the writer's choice, which has the terminal meanwhile.
  private func editOutside() {
    guard composer.activity == .writing else { return }
    editOutside(
      editor,
      keep: { [weak self] in
        self?.tellChanges()
        self?.composer.keepDraft()
      },
      failed: { [weak self] sentence in self?.composer.fail(sentence) })
  }

  private func tellChanges() {
    editor.tellChanges()
    warning.tellChanges()
  }

  private func textDidChange() {
    composer.text = editor.text
    composer.contentWarning = warning.text
    layOut()
  }

  private func showText() {
    editor.text = composer.text
    warning.text = composer.contentWarning
    layOut()
  }

  // MARK: Warning

  private var isInWarning: Bool { window?.firstResponder === warning }

  private var showsWarning: Bool { isWarningOpen || !composer.contentWarning.isEmpty }

  private func toggleWarning() {
    if isInWarning { return closeWarning() }
    isWarningOpen = true
    window?.makeFirstResponder(warning)
    layOut()
  }

  /// Goes back to the text. An empty warning is none.
  private func closeWarning() {
    warning.tellChanges()
    isWarningOpen = false
    window?.makeFirstResponder(editor)
    layOut()
  }

  /// Enter, Down and Tab leave the warning.
  override public func keyDown(_ key: Key) -> Bool {
    guard isInWarning, [.enter, .down, .tab].contains(key.code) else { return false }
    closeWarning()
    return true
  }

  private func layOut() {
    view.invalidateIntrinsicSize()
    view.setNeedsLayout()
  }

  // MARK: Content

  override public func updateProperties() {
    let isWriting = composer.activity == .writing
    editor.isEditable = isWriting
    warning.isEditable = isWriting
    let left = composer.remaining
    let words = left.map { EntryWords.counter($0) } ?? EntryWords.tooLong
    let counter = BarView.Item(words, EntryWords.role(ofRemaining: left), priority: 10)
    let counterColumns = counter.runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
    let trailing = composer.activity == .fetching ? [] : [counter]
    let activity = EntryWords.activity(of: composer).map { BarView.Item($0, .accent, priority: 13) }
    var used = trailing.isEmpty ? 0 : counterColumns + meta.gap
    if let activity { used += activity.runs.reduce(meta.gap) { $0 + DisplayWidth.columns(of: $1.text) } }
    let audience = EntryWords.audience(of: composer, columns: view.frame.size.columns - 2 - used)
    let audienceItem = BarView.Item(audience, composer.isAudienceOpen ? .warning : .dim, priority: 12)
    meta.leading = [audienceItem] + [activity].compactMap(\.self)
    meta.trailing = trailing
    if let complaint = composer.complaint {
      notes.leading = [.init(complaint, .error)]
    } else {
      notes.leading = composer.note.map { [.init($0, .warning)] } ?? []
    }
    fitNotes()
    updateHints()
  }

  private func updateHints() {
    let pending = window?.application?.pendingKeys ?? []
    hints.leading =
      pending.isEmpty
      ? EntryHints.standing(keymap, for: composer)
      : StatusWords.following(pending, KeysInForce(keymap: keymap, contexts: [.entry]))
  }

  /// Shows choices in place of the hints.
  private func showChoices() {
    completer.bar.isHidden = !completer.isShowing
    hints.isHidden = completer.isShowing
  }

  /// Gives an error the rows that it takes, up to a third of the window.
  private func fitNotes() {
    let columns = view.frame.size.columns
    let limit = max(1, (window?.size.rows ?? 0) / 3)
    let rows = notes.leading.isEmpty ? 0 : notes.rows(forColumns: columns, limit: limit)
    guard rows != noteRows else { return }
    noteRows = rows
    layOut()
  }

  // MARK: Layout

  /// A few lines, and more as the text grows, up to half of the screen.
  override public func preferredSheetRows(in size: Size) -> Int {
    let columns = Self.text(editor).frame(of: editor, in: size).size.columns
    let quoteLimit = size.rows < 12 ? 0 : size.rows < 20 ? 1 : 2
    let quoteRows = min(quoteLimit, quote.intrinsicSize(in: Size(rows: quoteLimit, columns: columns)).rows)
    let around = 3 + noteRows + quoteRows + (showsWarning ? 1 : 0)
    let rows = max(5, editor.rows(forColumns: columns) + 1) + around
    let fewest = max(2, Self.minimumRowsOfText - noteRows) + around
    return min(size.rows, max(fewest, min(rows, size.rows / 2)))
  }

  /// `item` in the columns of the text.
  private static func text(_ item: any LayoutItem) -> Layout {
    .columns([.fixed(1): nil, .minimum(1, atMost: maximumColumns): item, .fixed(1): nil])
  }

  override public func layout(in size: Size) -> Layout? {
    // Notes replace the hints if only one of the two fits.
    let noteRows = max(0, min(noteRows, size.rows - 4))
    let replacesHints = !notes.leading.isEmpty && noteRows == 0
    let room = size.rows - 3 - noteRows
    let warningRows = showsWarning && (room > 1 || isInWarning) ? 1 : 0
    let quoteLimit = (window?.size.rows ?? size.rows) < 20 ? 1 : 2
    return .rows([
      .intrinsic: rule,
      .intrinsic(atMost: min(quoteLimit, room - warningRows - 2)): Self.text(quote),
      .fixed(warningRows): Self.text(Layout.columns([.intrinsic: warningSign, .minimum(1): warning])),
      .minimum(1): Self.text(editor),
      .fixed(noteRows): replacesHints ? nil : notes,
      .fixed(1): meta,
      .fixed(1): Layout.layers([replacesHints ? notes : hints, completer.bar]),
    ])
  }
}

extension EntryPurpose {
  /// Names that are likely in the text.
  fileprivate var likelyNames: [KnownName] {
    switch self {
    case .new: []
    case .reply(let qwink), .edit(let qwink): qwink.knownNames
    case .message(let qwinker): [KnownName(qwinker)]
    case .conversation(let conversation): conversation.participants.map { KnownName($0) }
    }
  }
}

extension EntryViewController: EntryComposerDelegate {
  public func composerDidChange(_ composer: EntryComposer) {
    view.setNeedsUpdateProperties()
  }

  public func composerWillTakeUp(_ composer: EntryComposer) {
    tellChanges()
  }

  public func composerDidReplaceText(_ composer: EntryComposer) {
    showText()
  }

  public func composer(_ composer: EntryComposer, didSend qwink: Qwink) {
    dismiss()
    navigator?.say(EntryWords.sent(purpose), .new)
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
