public import PaneKit
import QwinkleAccount
import QwinkleService
public import Terminal

/// A sheet with labelled fields. It stays open until the input is accepted or the user discards it. A subclass accepts
/// the input. If the sheet is larger than the window, it scrolls with the focused field.
@MainActor
public class FormSheet: ViewController {
  /// A text field or a choice.
  struct Field {
    var label: String
    var text = ""
    /// A hint about valid values, shown while the field is focused.
    var help: String
    /// If the last field has several lines, it uses the room that the other fields leave.
    var isSingleLine = true
    /// Number of characters that most servers accept; nil shows no counter.
    var usualLimit: Int?
    /// The possible words. Empty for a text field.
    var choices: [String] = []
    /// Whether the field is in the row of the field before it, without a label.
    var isBeside = false
    /// Shown while the field is empty.
    var placeholder = ""
  }

  private static let longRows = 3...8
  /// Columns that a field keeps in a narrow window, unless the label would be unreadable.
  private static let fewestFieldColumns = 14
  /// The number of columns between two fields in a row.
  private static let gap = 2

  public weak var navigator: (any Navigator)?

  private let controls: [FormControl]
  let labels: [Label]
  private let fields: [Field]
  /// The indices of the fields in each row.
  private let allGroups: [[Int]]
  private var groups: [[Int]] { allGroups.filter { isShown($0[0]) } }
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
    labels = fields.map { Label(TextRun($0.isBeside ? "" : $0.label, .dim)) }
    controls = fields.map { field in
      guard field.choices.isEmpty else {
        return .choice(FormChoiceView(field.label, choices: field.choices, text: field.text))
      }
      return .editor(TextEditor(isSingleLine: field.isSingleLine))
    }
    allGroups = fields.indices.reduce(into: []) { groups, index in
      if fields[index].isBeside, !groups.isEmpty {
        groups[groups.count - 1].append(index)
      } else {
        groups.append([index])
      }
    }
    super.init()
    self.title = title
    keyContext = context
    rule.title = [TextRun(title, .strong)]
    view.addSubview(rule)
    for ((field, label), control) in zip(zip(fields, labels), controls) {
      prepare(control, for: field)
      view.addSubview(label)
      view.addSubview(control.view)
    }
    for bar in [meta, hints] { view.addSubview(bar) }
    preferredFirstResponder = controls.first?.view
    on(.formSave) { [weak self] in self?.acceptOnce() }
    on(.formLeave) { [weak self] in self?.leave() }
    on(.formNext) { [weak self] in self?.moveFocus(by: 1) }
    on(.formPrevious) { [weak self] in self?.moveFocus(by: -1) }
    updateWords()
  }

  private func prepare(_ control: FormControl, for field: Field) {
    switch control {
    case .editor(let editor):
      editor.text = field.text
      editor.label = field.label
      editor.placeholder = field.placeholder
      editor.didChange.add(self) { $0.textDidChange() }
      editor.didResign.add(self) { $0.focusDidChange() }
    case .choice(let choice):
      choice.didChange.add(self) { $0.textDidChange() }
      choice.didResign.add(self) { $0.focusDidChange() }
    }
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

  /// Whether the form has the field. Call ``load(_:)`` after a change.
  func isShown(_ index: Int) -> Bool { true }

  /// Columns of the labels in a wide form. A narrow form cuts the labels, because the typed text needs the room.
  var labelColumns: Int { (groups.map { DisplayWidth.columns(of: fields[$0[0]].label) }.max() ?? 0) + 2 }

  /// Maximum number of rows for the line below the fields, in a window of `rows`.
  func metaLimit(inWindowOf rows: Int) -> Int { failure == nil ? 1 : max(1, rows / 3) }

  /// Returns the rows of the fields in `room`.
  func fieldRows(in room: Size) -> Layout {
    var rows = rows(forColumns: room.columns)
    if isTall, let last = rows.heights.indices.last {
      rows.heights[last] = max(1, room.rows - rows.heights[..<last].reduce(0, +))
    }
    let shown = rows.shown(in: room.rows)
    rule.note = shown.count < groups.count ? FormWords.place(rows.focused + 1, of: groups.count) : ""
    var top = 0
    return .placed(
      shown.flatMap { index in
        defer { top += rows.heights[index] }
        let height = min(rows.heights[index], max(1, room.rows - top))
        return frames(ofRow: index, at: top, rows: height, columns: room.columns)
      })
  }

  /// Whether the fields use all room.
  var isTall: Bool { groups.last.map { !fields[$0[0]].isSingleLine } ?? false }

  /// Returns the number of rows that the fields need.
  func fieldRowCount(in size: Size) -> Int { rows(forColumns: size.columns).rowCount }

  // MARK: Input

  final var isLoaded: Bool { savedTexts != nil }
  var texts: [String] { controls.map(\.text) }
  /// The fields that are text fields, in order.
  final var editors: [TextEditor] { controls.compactMap(\.editor) }
  final var hasChanges: Bool { savedTexts.map { $0 != texts } ?? false }

  /// Fills the fields with their initial texts.
  final func load(_ texts: [String]) {
    savedTexts = texts
    for (control, text) in zip(controls, texts) { control.text = text }
    activity = nil
    view.setNeedsLayout()
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

  private func moveFocus(by step: Int) {
    let shown = groups.flatMap(\.self)
    guard let current = shown.firstIndex(of: focusedIndex) else { return }
    window?.makeFirstResponder(controls[shown[(current + step + shown.count) % shown.count]].view)
    focusDidChange()
  }

  private func focusDidChange() {
    updateWords()
    view.setNeedsLayout()
  }

  private func textDidChange() {
    failure = nil
    mayLeave = false
    updateWords()
  }

  // MARK: Appearance

  private var focusedIndex: Int { controls.firstIndex { window?.firstResponder === $0.view } ?? 0 }

  final func updateWords() {
    for (index, control) in controls.enumerated() {
      switch control {
      case .editor(let editor): editor.isEditable = isEditable(index)
      case .choice(let choice): choice.isEditable = isEditable(index)
      }
    }
    let index = focusedIndex
    meta.leading = [
      failure.map { .init($0, mayLeave ? .warning : .error, priority: 11) }
        ?? .init(activity ?? fields[index].help, activity == nil ? .dim : .accent, priority: 9)
    ]
    meta.trailing = isLoaded ? fields.indices.compactMap(counter) : []
    hints.leading = StatusWords.hints(
      KeysInForce(keymap: keymap, contexts: [context], editor: controls[index].editor), actions: hintedActions)
    view.invalidateIntrinsicSize()
  }

  /// The length of a text and its usual limit. In a form with many limits, only the focused field and fields that are
  /// too long have a counter.
  private func counter(ofFieldAt index: Int) -> BarView.Item? {
    guard let limit = fields[index].usualLimit else { return nil }
    let count = controls[index].text.count
    let isTooLong = count > limit
    let limited = groups.flatMap(\.self).count { fields[$0].usualLimit != nil }
    guard limited <= 2 || isTooLong || index == focusedIndex else { return nil }
    return .init(
      FormWords.counter(fields[index].label, count, limit: limit), isTooLong ? .warning : .dim,
      priority: isTooLong ? 12 : 8)
  }

  override public func preferredSheetRows(in size: Size) -> Int {
    let metaRows = meta.rows(forColumns: size.columns, limit: metaLimit(inWindowOf: size.rows))
    return min(size.rows, 2 + metaRows + fieldRowCount(in: size))
  }

  override public func layout(in size: Size) -> Layout? { layout(of: size) }

  private func layout(of size: Size) -> Layout {
    let metaRows = meta.rows(
      forColumns: size.columns, limit: metaLimit(inWindowOf: window?.size.rows ?? size.rows))
    let room = Size(rows: max(1, size.rows - 2 - metaRows), columns: size.columns)
    let count = isTall ? room.rows : min(room.rows, fieldRowCount(in: size))
    return .rows([
      .intrinsic: rule, .fixed(count): fieldRows(in: Size(rows: count, columns: size.columns)),
      .intrinsic(atMost: metaRows): meta, .fill: nil, .fixed(1): hints,
    ])
  }

  private func rows(forColumns columns: Int) -> FormRows {
    let heights = groups.map { group in
      guard let editor = controls[group[0]].editor, !editor.isSingleLine else { return 1 }
      let wanted = editor.rows(forColumns: fieldColumns(columns)) + 1
      let isLast = group.last == groups.last?.last
      return max(Self.longRows.lowerBound, isLast ? wanted : min(wanted, Self.longRows.upperBound))
    }
    return FormRows(heights: heights, focused: groups.firstIndex { $0.contains(focusedIndex) } ?? 0)
  }

  private func labelColumns(in columns: Int) -> Int {
    min(labelColumns, max(8, columns - 2 - Self.fewestFieldColumns))
  }

  /// Returns the number of columns of the fields in a row.
  private func fieldColumns(_ columns: Int) -> Int {
    min(ContentWidth.fields, max(1, columns - labelColumns(in: columns) - 2))
  }

  /// Returns the frames of a row's label and fields. If the row has two fields, the second one is wider.
  private func frames(ofRow index: Int, at row: Int, rows: Int, columns: Int) -> [(View, Rect)] {
    let group = groups[index]
    let width = fieldColumns(columns)
    let labelColumns = self.labelColumns(in: columns)
    let first = group.count > 1 ? max(1, (width - Self.gap) * 2 / 5) : width
    // In a window of a few columns, a view without room has no columns.
    func frame(from start: Int, columns count: Int, rows: Int) -> Rect {
      let start = min(start, columns)
      return Rect(row: row, column: start, rows: rows, columns: max(0, min(count, columns - start)))
    }
    let fieldStart = 1 + labelColumns
    var frames: [(View, Rect)] = [
      // A cut label keeps a gap to its field.
      (labels[group[0]], frame(from: 1, columns: labelColumns - 1, rows: 1)),
      (controls[group[0]].view, frame(from: fieldStart, columns: first, rows: rows)),
    ]
    if group.count > 1 {
      let rest = max(1, width - first - Self.gap)
      frames.append((controls[group[1]].view, frame(from: fieldStart + first + Self.gap, columns: rest, rows: rows)))
    }
    return frames
  }

  /// Returns the row of one field.
  final func row(_ index: Int) -> Layout {
    .columns([
      .fixed(1): nil, .fixed(labelColumns): labels[index],
      .minimum(1, atMost: ContentWidth.fields): controls[index].view, .fixed(1): nil,
    ])
  }
}
