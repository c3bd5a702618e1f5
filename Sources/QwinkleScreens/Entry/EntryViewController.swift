public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
public import QwinkleStore
public import Terminal

/// A sheet over the lower part of the screen in which the user writes an entry. Closing the sheet saves the text as a
/// draft, unless the user discards it.
@MainActor
public final class EntryViewController: ViewController {
  private static let minimumRowsOfText = 4
  /// In windows with at least this many rows, rules separate the parts and the quote is shown in several rows.
  private static let rowsForRules = 20

  public weak var navigator: (any Navigator)?

  let composer: EntryComposer
  let attachments: EntryAttachments

  /// Whether this sheet is visible and the user is writing `entry` in it.
  func isWriting(_ entry: Entry) -> Bool {
    isOnScreen && composer.entry.idempotencyKey == entry.idempotencyKey
  }
  private let keymap: Keymap

  private let rule = RuleView()
  let quote: EntryQuoteView
  let warning = EntryLineView(
    EntryWords.warningLabel, placeholder: EntryWords.warningPlaceholder, action: .entryWarning)
  let language = EntryLineView(
    EntryWords.languageLabel, placeholder: EntryWords.languagePlaceholder, action: .entryLanguage)
  let poll = EntryPollView()
  let time = EntryLineView(EntryWords.timeLabel, placeholder: EntryWords.timePlaceholder, action: .entryTime)
  let path = EntryLineView(EntryFileWords.label, placeholder: EntryFileWords.placeholder, action: .entryAttach)
  let altText = EntryLineView(EntryFileWords.altLabel, placeholder: "", action: .entryAltText)
  /// The ``EntryAttachments/File/key`` of the file that ``altText`` describes.
  var describedFile: Int?
  /// The user's settings, if the entry belongs to a screen.
  var settings: ReaderSettings?
  /// The keys of the files that the user agreed to post without a description.
  var undescribedAgreed: Set<Int> = []
  /// The question about files without a description, while it is open.
  weak var reminder: ConfirmViewController?
  let files = EntryFilesView()
  let paths: PathCompleter
  let editor = TextEditor()
  private let quoteRule = RuleView()
  private let fieldsRule = RuleView()
  private let hintsRule = RuleView()
  /// Errors and warnings. They are shown above the row of fields and never cover it, so that the audience stays
  /// visible.
  private let notes = BarView()
  private let fields = BarView()
  private let hints = BarView()
  let completer: WordCompleter
  private var noteRows = 0
  /// The discarded entry to restore instead of a saved draft.
  private var discarded: DiscardedEntry?
  /// The sheet's state at the end of the last run, until the draft is loaded.
  private var restoredState: RestorableState?
  /// The sheet's title in the last run, used until the user's account is loaded.
  private var restoredTitle: String?

  /// Opens the saved draft for `purpose`, if any, or `discarded` instead.
  public init(
    purpose: EntryPurpose, account: Account, drafts: OutgoingStore?, keymap: Keymap, discarded: DiscardedEntry? = nil
  ) {
    self.discarded = discarded
    composer = EntryComposer(purpose: purpose, account: account, drafts: drafts)
    attachments = EntryAttachments(composer, account: account)
    completer = WordCompleter(editor: editor, account: account)
    paths = PathCompleter(editor: path.editor, lister: account.folderLister())
    quote = EntryQuoteView(of: purpose, account: account)
    self.keymap = keymap
    super.init()
    keyContext = .entry
    restorationIdentifier = "entry"
    for subview in [
      rule, quote, quoteRule, warning, language, poll, time, path, altText, editor, files, fieldsRule, notes, fields,
      hintsRule, hints, completer.bar, paths.bar,
    ] {
      view.addSubview(subview)
    }
    updateTitle()
    fields.gap = EntryFields.gap
    preferredFirstResponder = editor
    showText()
    editor.didChange.add(self) { $0.textDidChange() }
    poll.didChange.add(self) { $0.composer.pollForm = $0.poll.form }
    for line in lines { line.didChange.add(self) { $0.textDidChange() } }
    completer.bar.isHidden = true
    completer.likely = purpose.likelyNames
    completer.didShow = { [weak self] in self?.showChoices() }
    paths.bar.isHidden = true
    paths.didShow = { [weak self] in self?.showChoices() }
    attachments.didChange = { [weak self] in self?.filesDidChange() }
    attachments.didAdd = { [weak self] in self?.askToDescribe($0) }
    registerActions()
    composer.delegate = self
  }

  override public func viewDidAppear() {
    if let application = window?.application {
      application.addObserver(self)
      application.didChangePendingKeys.add(self) { $0.updateHints() }
      application.didHandleKey.add(self) {
        $0.completer.didHandleKey()
        $0.updateHints()
      }
    }
    guard let discarded else { return composer.begin(isRestored: restoredState.map { $0["note"] == nil } ?? false) }
    self.discarded = nil
    composer.resume(discarded)
    addGivenFiles()
  }

  public var purpose: EntryPurpose { composer.purpose }

  private func updateTitle() {
    let me = composer.account.identity.me
    title = (me == nil ? restoredTitle : nil) ?? EntryWords.title(of: purpose, me: me)
    rule.title = [TextRun(title, .strong)]
  }

  // MARK: Restoration

  override public func encodeRestorableState(with state: inout RestorableState) {
    if let restoredState { return state.merge(restoredState) { $1 } }
    state["title"] = title
    state["cursor"] = editor.restorableCursor
    state["note"] = composer.note == EntryWords.restored(isEdit: purpose.isEdit, others: 0) ? "yes" : nil
    for (index, line) in lines.enumerated() where line.isOpen {
      state["line \(index)"] = line.hasKeys ? "keys" : "open"
    }
    state["poll row"] = poll.focusedIndex.map(String.init)
  }

  override public func decodeRestorableState(with state: RestorableState) {
    restoredState = state
    restoredTitle = state["title"]
    updateTitle()
  }

  public func composerDidBegin(_ composer: EntryComposer) {
    addGivenFiles()
    guard let stored = restoredState else { return }
    restoredState = nil
    editor.restoreCursor(stored["cursor"])
    for (index, line) in lines.enumerated() where stored["line \(index)"] != nil {
      guard line !== altText || isDescribing else { continue }
      line.isOpen = true
      if stored["line \(index)"] == "keys" { line.takeFocus() }
    }
    if let row = stored["poll row"].flatMap({ Int($0) }) { poll.focus(row) }
    layOut()
    view.setNeedsUpdateProperties()
  }

  private func textDidChange() {
    composer.text = editor.text
    composer.contentWarning = warning.editor.text
    composer.language = language.editor.text
    noteFieldTexts()
    attachments.writerGoesOn()
    layOut()
  }

  func showText() {
    editor.text = composer.text
    warning.editor.text = composer.contentWarning
    language.editor.text = composer.language
    attachments.takeIDs()
    showFieldTexts()
    layOut()
  }

  // MARK: Lines above the text

  /// Applies and closes a line on Enter, Down and Tab.
  override public func keyDown(_ key: Key) -> Bool {
    guard let lineWithKeys, [.enter, .down, .tab].contains(key.code) else { return false }
    finish(lineWithKeys)
    return true
  }

  /// Replaces the hints with a message that the keys do nothing.
  override public func didIgnore(_ keys: [Key], asking actions: [Action]) -> Bool {
    let help = keymap.binding(of: .help, in: [.always])?.keyName
    hints.leading = [.init(IgnoredKeyWords.nothing(Keymap.name(of: keys), help: help), .warning)]
    return true
  }

  func layOut() {
    view.invalidateIntrinsicSize()
    view.setNeedsLayout()
  }

  // MARK: Content

  override public func updateProperties() {
    updateTitle()
    let isWriting = composer.activity == .writing
    editor.isEditable = isWriting
    for line in lines { line.isEditable = isWriting }
    poll.limits = composer.limits.polls
    let items = EntryFields(of: composer, keymap: keymap, shownElsewhere: Set(shownLines.map(\.action)))
    fields.leading = items.leading(columns: Self.columnsOfFields(view.frame.size.columns))
    fields.trailing = items.trailing
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
      : StatusWords.following(
        pending, KeysInForce(keymap: keymap, contexts: [.entry], performs: { [weak self] in self?.canDo($0) ?? false }))
  }

  private func canDo(_ action: Action) -> Bool {
    composer.account.connection.abilities.allow(action) && (action != .entryDetach || !files.files.isEmpty)
      && (action != .entryThread || composer.canSplit) && (action != .entryQuotes || composer.canChooseQuotePolicy)
  }

  func complete() {
    if path.hasKeys { paths.complete() } else { completer.complete() }
  }

  /// Shows choices in place of the hints.
  private func showChoices() {
    completer.bar.isHidden = !completer.isShowing
    paths.bar.isHidden = !paths.isShowing
    hints.isHidden = completer.isShowing || paths.isShowing
  }

  /// Sets the number of rows for errors and warnings to fit their text, up to a third of the window.
  private func fitNotes() {
    let columns = view.frame.size.columns - (Self.margin(view.frame.size.columns) - 1)
    let limit = max(1, (window?.size.rows ?? 0) / 3)
    let rows = notes.leading.isEmpty ? 0 : notes.rows(forColumns: columns, limit: limit)
    guard rows != noteRows else { return }
    noteRows = rows
    layOut()
  }

  // MARK: Layout

  /// Returns a few rows, or more for a long text, up to half of the screen. The rows of the quote are added to that
  /// limit.
  override public func preferredSheetRows(in size: Size) -> Int {
    let columns = Self.text(editor, size.columns).frame(of: editor, in: size).size.columns
    let limit = quoteLimit(size.rows)
    quote.isShort = limit == 1
    let quoteRows = quote.intrinsicSize(in: Size(rows: limit, columns: columns)).rows
    let rules = size.rows < Self.rowsForRules ? 0 : quoteRows > 0 ? 3 : 2
    let lineRows = shownLines.reduce(0) { $0 + $1.rowCount(forColumns: columns) }
    let around = 3 + rules + noteRows + quoteRows + lineRows + files.rowCount
    let rows = max(5, editor.rows(forColumns: columns) + 1) + around
    let fewest = max(2, Self.minimumRowsOfText - noteRows) + around
    return min(size.rows, max(fewest, min(rows, size.rows / 2 + quoteRows)))
  }

  /// Returns the maximum rows of the quote in a window with `rows` rows.
  private func quoteLimit(_ rows: Int) -> Int { rows < 12 ? 0 : rows < Self.rowsForRules ? 1 : rows / 3 }

  /// Columns at the left of the text. At its right, one column is free, as on all screens.
  private static func margin(_ columns: Int) -> Int { SizeClass(columns: columns) == .compact ? 1 : 2 }

  /// Lays out `item` in the columns of the text, or from the text's left edge in up to `maximum` columns.
  private static func text(_ item: any LayoutItem, _ columns: Int, atMost maximum: Int = ContentWidth.text) -> Layout {
    let margin = margin(columns)
    return .columns([.fixed(margin): nil, .minimum(1, atMost: maximum): item, .fixed(1): nil])
  }

  /// Lays out a bar so that its content begins at the text's left edge. A bar has a margin of one column.
  private static func bar(_ bar: BarView, _ columns: Int, atMost maximum: Int = .max) -> Layout {
    let margin = margin(columns) - 1
    return .columns([.fixed(margin): nil, .minimum(1, atMost: maximum): bar])
  }

  /// Returns the columns for fields in a window with `columns` columns.
  private static func columnsOfFields(_ columns: Int) -> Int {
    min(ContentWidth.fields, columns - (margin(columns) - 1)) - 2
  }

  override public func layout(in size: Size) -> Layout? {
    let rows = window?.size.rows ?? size.rows
    let columns = size.columns
    let hasRules = rows >= Self.rowsForRules
    // If the sheet has no room for both, notes replace the hints.
    let noteRows = max(0, min(noteRows, size.rows - 4))
    let replacesHints = !notes.leading.isEmpty && noteRows == 0
    let hasQuoteRule = hasRules && quote.intrinsicSize(in: size).rows > 0
    var room = size.rows - 3 - noteRows - (hasRules ? 2 : 0) - (hasQuoteRule ? 1 : 0)
    let textColumns = Self.text(editor, columns).frame(of: editor, in: size).size.columns
    let lineRows = lines.map { line in
      guard shownLines.contains(where: { $0 === line }), room > 1 || line.hasKeys else { return 0 }
      let rows = max(1, min(line.rowCount(forColumns: textColumns), room - 1))
      room -= rows
      return rows
    }
    let fileRows = max(0, min(files.rowCount, room - 2))
    room -= fileRows
    let quoteLimit = min(quoteLimit(rows), room - 2)
    return .rows([
      .intrinsic: rule,
      .intrinsic(atMost: quoteLimit): Self.text(quote, columns),
      .fixed(hasQuoteRule ? 1 : 0): Self.text(quoteRule, columns),
      .fixed(lineRows[0]): Self.text(warning, columns),
      .fixed(lineRows[1]): Self.text(language, columns),
      .fixed(lineRows[2]): Self.text(poll, columns),
      .fixed(lineRows[3]): Self.text(time, columns),
      .fixed(lineRows[4]): Self.text(path, columns),
      .fixed(lineRows[5]): Self.text(altText, columns),
      .minimum(1): Self.text(editor, columns),
      .fixed(fileRows): Self.text(files, columns),
      .fixed(hasRules ? 1 : 0): Self.text(fieldsRule, columns, atMost: .max),
      .fixed(noteRows): replacesHints ? nil : Self.bar(notes, columns),
      .fixed(1): Self.bar(fields, columns),
      .fixed(hasRules ? 1 : 0): hintsRule,
      .fixed(1): Layout.layers([replacesHints ? notes : hints, completer.bar, paths.bar]),
    ])
  }
}

extension EntryPurpose {
  fileprivate var likelyNames: [KnownName] {
    switch self {
    case .new: []
    case .reply(let qwink), .quote(let qwink), .edit(let qwink): qwink.knownNames
    case .message(let qwinker): [KnownName(qwinker)]
    case .conversation(let conversation): conversation.participants.map { KnownName($0) }
    }
  }
}
