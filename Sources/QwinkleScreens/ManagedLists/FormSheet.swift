import PaneKit
import SafeText
import Terminal

/// A sheet with several text fields. It stays open until the input is saved or the user discards it.
@MainActor
final class FormSheet: ViewController {
  struct Field {
    var label: String
    var text: String
    /// A hint about valid values, shown while the field is focused.
    var help: String
  }

  private let keymap: Keymap
  private let rule = RuleView()
  private let labels: [Label]
  private let labelColumns: Int
  private let editors: [TextEditor]
  private let helps: [String]
  private let saved: [String]
  private let meta = BarView()
  private let hints = BarView()
  private let save: @MainActor ([String], FormSheet) -> String?
  private var isSaving = false
  private var failure: String?
  private var mayLeave = false

  /// - Parameter save: Receives the input. If the input is invalid, returns an error message. Otherwise starts sending
  ///   the input and returns nil, and calls ``finish()`` or ``fail(_:)`` when the server has responded.
  init(
    title: String, fields: [Field], keymap: Keymap, save: @escaping @MainActor ([String], FormSheet) -> String?
  ) {
    self.keymap = keymap
    self.save = save
    saved = fields.map(\.text)
    helps = fields.map(\.help)
    labelColumns = (fields.map { DisplayWidth.columns(of: $0.label) }.max() ?? 0) + 2
    labels = fields.map { Label(TextRun($0.label, .dim)) }
    editors = fields.map { _ in TextEditor(isSingleLine: true) }
    super.init()
    self.title = title
    keyContext = .form
    rule.title = [TextRun(title, .strong)]
    view.addSubview(rule)
    for (index, editor) in editors.enumerated() {
      editor.text = fields[index].text
      editor.label = fields[index].label
      editor.didChange.add(self) { $0.textDidChange() }
      view.addSubview(labels[index])
      view.addSubview(editor)
    }
    for bar in [meta, hints] { view.addSubview(bar) }
    preferredFirstResponder = editors.first
    on(.formSave) { [weak self] in self?.saveNow() }
    on(.formLeave) { [weak self] in self?.leave() }
    on(.formNext) { [weak self] in self?.moveToNextField() }
    updateWords()
  }

  override func viewDidAppear() { updateWords() }

  /// Closes the sheet after the input was saved.
  func finish() { dismiss() }

  /// Shows the reason that the input wasn't saved.
  func fail(_ sentence: String) {
    isSaving = false
    failure = sentence
    updateWords()
  }

  private var typed: [String] { editors.map { $0.text.trimmed() } }

  private func saveNow() {
    guard !isSaving else { return }
    for editor in editors { editor.tellChanges() }
    failure = nil
    isSaving = true
    if let refusal = save(typed, self) { fail(refusal) }
    updateWords()
  }

  /// Closes the sheet. If there are unsaved changes, the first attempt only shows a warning.
  private func leave() {
    for editor in editors { editor.tellChanges() }
    guard typed != saved, !mayLeave else { return dismiss() }
    mayLeave = true
    failure = ProfileWords.unsaved
    updateWords()
  }

  private func moveToNextField() {
    let index = editors.firstIndex { window?.firstResponder === $0 } ?? 0
    window?.makeFirstResponder(editors[(index + 1) % editors.count])
    updateWords()
  }

  private func textDidChange() {
    failure = nil
    mayLeave = false
    updateWords()
  }

  private func updateWords() {
    for editor in editors { editor.isEditable = !isSaving }
    let index = editors.firstIndex { window?.firstResponder === $0 } ?? 0
    meta.leading =
      if let failure {
        [.init(failure, mayLeave ? .warning : .error, priority: 11)]
      } else {
        [.init(isSaving ? ProfileWords.saving : helps[index], .dim, priority: 9)]
      }
    hints.leading = StatusWords.hints(
      KeysInForce(keymap: keymap, contexts: [.form], editor: editors[index]),
      actions: isSaving ? [.formLeave] : [.formSave, .formNext, .formLeave])
    view.invalidateIntrinsicSize()
  }

  private func metaLimit(inWindowOf rows: Int) -> Int { failure == nil ? 1 : max(1, rows / 3) }

  override func preferredSheetRows(in size: Size) -> Int {
    min(size.rows, editors.count + 2 + meta.rows(forColumns: size.columns, limit: metaLimit(inWindowOf: size.rows)))
  }

  override func layout(in size: Size) -> Layout? {
    .rows([
      .intrinsic: rule, .fixed(editors.count): fields(from: 0),
      .intrinsic(atMost: metaLimit(inWindowOf: window?.size.rows ?? size.rows)): meta, .minimum(0): nil,
      .fixed(1): hints,
    ])
  }

  /// Returns the layout of the field at `index` and all fields after it, one per row.
  private func fields(from index: Int) -> Layout {
    guard index < editors.count else { return .layers([]) }
    return .rows([
      .fixed(1): Layout.columns([
        .fixed(1): nil, .fixed(labelColumns): labels[index], .minimum(1, atMost: ContentWidth.fields): editors[index],
        .fixed(1): nil,
      ]),
      .minimum(0): fields(from: index + 1),
    ])
  }
}
