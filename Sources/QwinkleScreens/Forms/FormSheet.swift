public import PaneKit
import QwinkleAccount
import QwinkleService
public import Terminal

/// A sheet with labelled text fields. It stays open until the input is accepted or the user discards it. A subclass
/// accepts the input.
@MainActor
public class FormSheet: ViewController {
  /// A text field. Only the last field may have several lines.
  struct Field {
    var label: String
    var text = ""
    /// A hint about valid values, shown while the field is focused.
    var help: String
    var isSingleLine = true
    /// Number of characters that most servers accept; nil shows no counter.
    var usualLimit: Int?
  }

  public weak var navigator: (any Navigator)?

  let editors: [TextEditor]
  let labels: [Label]
  private let fields: [Field]
  private let keymap: Keymap
  private let context: KeyContext
  private let rule = RuleView()
  private let meta = BarView()
  private let hints = BarView()
  /// The texts before the user edited them; nil until they are loaded.
  private var savedTexts: [String]?
  private var mayLeave = false
  private var failure: String?

  /// A description of the work in progress, such as saving; nil while the user can edit. Setting it removes the error.
  final var activity: String? {
    didSet {
      failure = nil
      mayLeave = false
      updateWords()
    }
  }

  /// - Parameter isLoaded: Whether the fields contain their initial texts. If not, the user can't edit them before
  ///   ``load(_:)``.
  init(title: String, fields: [Field], isLoaded: Bool = true, context: KeyContext = .form, keymap: Keymap) {
    self.fields = fields
    self.keymap = keymap
    self.context = context
    savedTexts = isLoaded ? fields.map(\.text) : nil
    labels = fields.map { Label(TextRun($0.label, .dim)) }
    editors = fields.map { TextEditor(isSingleLine: $0.isSingleLine) }
    super.init()
    self.title = title
    keyContext = context
    rule.title = [TextRun(title, .strong)]
    view.addSubview(rule)
    for ((field, label), editor) in zip(zip(fields, labels), editors) {
      editor.text = field.text
      editor.label = field.label
      editor.didChange.add(self) { $0.textDidChange() }
      view.addSubview(label)
      view.addSubview(editor)
    }
    for bar in [meta, hints] { view.addSubview(bar) }
    preferredFirstResponder = editors.first
    on(.formSave) { [weak self] in self?.acceptOnce() }
    on(.formLeave) { [weak self] in self?.leave() }
    on(.formNext) { [weak self] in self?.moveToNextField() }
    updateWords()
  }

  override public func viewDidAppear() { updateWords() }

  // MARK: To override

  /// Checks the input, and calls ``fail(_:)``, ``send(_:from:doing:then:)`` or ``dismiss()``.
  func accept() {}

  /// Closes the sheet. If there are unsaved changes, the first call only shows a warning.
  func leave() {
    for editor in editors { editor.tellChanges() }
    guard hasChanges, !mayLeave else { return dismiss() }
    mayLeave = true
    failure = FormWords.unsaved
    updateWords()
  }

  /// The actions with hints.
  var hintedActions: [Action] { activity == nil ? [.formSave, .formNext, .formLeave] : [.formLeave] }

  func isEditable(_ index: Int) -> Bool { isLoaded && activity == nil }

  var labelColumns: Int { (fields.map { DisplayWidth.columns(of: $0.label) }.max() ?? 0) + 2 }

  /// Maximum number of rows for the line below the fields, in a window of `rows`.
  func metaLimit(inWindowOf rows: Int) -> Int { failure == nil ? 1 : max(1, rows / 3) }

  /// The rows of all fields.
  var fieldRows: Layout { rows(from: 0) }

  /// Whether the fields use all room.
  var isTall: Bool { fields.last?.isSingleLine == false }

  /// Returns the number of rows that the fields need.
  func fieldRowCount(in size: Size) -> Int {
    guard isTall, let editor = editors.last else { return minimumFieldRows(in: size) }
    let columns = layout(of: size).frame(of: editor, in: size).size.columns
    return fields.count - 1 + max(3, editor.rows(forColumns: columns) + 1)
  }

  // MARK: Input

  final var isLoaded: Bool { savedTexts != nil }
  var texts: [String] { editors.map(\.text) }
  final var hasChanges: Bool { savedTexts.map { $0 != texts } ?? false }

  /// Fills the fields with their initial texts.
  final func load(_ texts: [String]) {
    savedTexts = texts
    for (editor, text) in zip(editors, texts) { editor.text = text }
    activity = nil
  }

  /// Shows the reason that the input wasn't accepted.
  final func fail(_ sentence: String) {
    activity = nil
    failure = sentence
    updateWords()
  }

  /// Accepts the input, unless work is in progress.
  final func acceptOnce() {
    guard activity == nil else { return }
    // A later report of these changes would remove the error.
    for editor in editors { editor.tellChanges() }
    accept()
  }

  /// Sends the input. Closes the sheet and calls `done` when the server has accepted it. Shows a failure in the sheet,
  /// or in the status bar if the user has closed the sheet.
  final func send<Answer>(
    _ request: Request<Answer>, from account: Account, doing name: String,
    then done: @escaping @MainActor (Answer) -> Void
  ) {
    activity = FormWords.saving
    account.send(request, doing: name) { [weak self, weak navigator] result in
      switch result {
      case .success(let answer):
        self?.dismiss()
        done(answer)
      case .failure(let error):
        let sentence = FormWords.notSaved(error.sentence)
        if let self { fail(sentence) } else { navigator?.say(sentence, .error) }
      }
    }
  }

  private func moveToNextField() {
    window?.makeFirstResponder(editors[(focusedIndex + 1) % editors.count])
    updateWords()
  }

  private func textDidChange() {
    failure = nil
    mayLeave = false
    updateWords()
  }

  // MARK: Appearance

  private var focusedIndex: Int { editors.firstIndex { window?.firstResponder === $0 } ?? 0 }

  final func updateWords() {
    for (index, editor) in editors.enumerated() { editor.isEditable = isEditable(index) }
    let index = focusedIndex
    meta.leading = [
      failure.map { .init($0, mayLeave ? .warning : .error, priority: 11) }
        ?? .init(activity ?? fields[index].help, activity == nil ? .dim : .accent, priority: 9)
    ]
    meta.trailing = isLoaded ? fields.indices.compactMap(counter) : []
    hints.leading = StatusWords.hints(
      KeysInForce(keymap: keymap, contexts: [context], editor: editors[index]), actions: hintedActions)
    view.invalidateIntrinsicSize()
  }

  /// The length of a text and its usual limit.
  private func counter(ofFieldAt index: Int) -> BarView.Item? {
    guard let limit = fields[index].usualLimit else { return nil }
    let count = editors[index].text.count
    let isTooLong = count > limit
    return .init(
      FormWords.counter(fields[index].label, count, limit: limit), isTooLong ? .warning : .dim,
      priority: isTooLong ? 12 : 8)
  }

  override public func preferredSheetRows(in size: Size) -> Int {
    let metaRows = meta.rows(forColumns: size.columns, limit: metaLimit(inWindowOf: size.rows))
    return min(size.rows, 2 + metaRows + fieldRowCount(in: size))
  }

  override public func layout(in size: Size) -> Layout? { layout(of: size) }

  private func minimumFieldRows(in size: Size) -> Int { fieldRows.intrinsicSize(in: size).rows }

  private func layout(of size: Size) -> Layout {
    let count = minimumFieldRows(in: size)
    return .rows([
      .intrinsic: rule, isTall ? .minimum(count) : .fixed(count): fieldRows,
      .intrinsic(atMost: metaLimit(inWindowOf: window?.size.rows ?? size.rows)): meta,
      isTall ? .fixed(0) : .fill: nil, .fixed(1): hints,
    ])
  }

  /// Returns the layout of the field at `index` and all fields after it.
  private func rows(from index: Int) -> Layout {
    guard index + 1 < fields.count else { return row(index) }
    return .rows([.fixed(1): row(index), .minimum(fields.count - index - 1): rows(from: index + 1)])
  }

  final func row(_ index: Int) -> Layout {
    .columns([
      .fixed(1): nil, .fixed(labelColumns): labels[index], .minimum(1, atMost: ContentWidth.fields): editors[index],
      .fixed(1): nil,
    ])
  }
}
