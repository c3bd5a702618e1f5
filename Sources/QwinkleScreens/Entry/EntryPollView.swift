import PaneKit
import QwinkleModel
import SafeText
import Terminal

/// The poll of an entry. Open, it is a form with a row for each option, then the duration and two choices. Closed, it
/// is a summary in one row.
@MainActor
final class EntryPollView: EntryFieldView {
  private static let labelColumns = EntryWords.pollHidden.count
  /// Columns of the duration and of a choice, if they share a row.
  private static let durationColumns = 36
  private static let choiceColumns = 16

  var limits = ServerInfo.PollLimits() {
    didSet { if limits != oldValue { showLimits() } }
  }

  private var options: [EntryLineView] = []
  private let duration = EntryLineView(
    EntryWords.pollDuration, placeholder: EntryWords.pollDurationPlaceholder, action: .entryPoll,
    labelColumns: labelColumns)
  private let several = EntryChoiceView(EntryWords.pollSeveral, labelColumns: labelColumns)
  private let hidden = EntryChoiceView(EntryWords.pollHidden, labelColumns: labelColumns)

  init() {
    super.init(action: .entryPoll)
    for choice in [several, hidden] {
      choice.didChange.add(self) { $0.didChange.send() }
      addSubview(choice)
    }
    add(duration)
    form = PollForm()
  }

  private func add(_ line: EntryLineView) {
    line.didChange.add(self) { $0.lineDidChange() }
    line.editor.didResign.add(self) { $0.focusDidChange() }
    addSubview(line)
  }

  private func lineDidChange() {
    showLimits()
    didChange.send()
  }

  private func focusDidChange() {
    showLimits()
    setNeedsLayout()
  }

  // MARK: Content

  /// The content of the rows.
  var form: PollForm {
    get {
      var form = PollForm()
      form.options = options.map(\.editor.text)
      form.duration = duration.editor.text
      form.allowsSeveral = several.isOn
      form.hidesTotals = hidden.isOn
      return form
    }
    set {
      while options.count > newValue.options.count { options.removeLast().removeFromSuperview() }
      while options.count < newValue.options.count { addOption() }
      for (line, text) in zip(options + [duration], newValue.options + [newValue.duration]) {
        // Setting a text deletes its undo history.
        if line.editor.text != text { line.editor.text = text }
      }
      several.isOn = newValue.allowsSeveral
      hidden.isOn = newValue.hidesTotals
      showLimits()
      setNeedsLayout()
      setNeedsDisplay()
    }
  }

  private func addOption() {
    let index = options.count
    let line = EntryLineView(
      EntryWords.pollOption(index + 1), placeholder: "", action: .entryPoll, labelColumns: Self.labelColumns)
    line.isEditable = isEditable
    line.editor.didDeleteBackwardWhenEmpty.add(self) { $0.removeOption(at: index) }
    line.editor.insertsPaste = { [weak self] in self?.paste($0, at: index) ?? false }
    options.append(line)
    add(line)
  }

  /// Shows how long the focused option is, and all options that are too long.
  private func showLimits() {
    let limit = limits.charactersPerOption
    for (index, line) in options.enumerated() {
      line.editor.label = index == 0 ? EntryWords.pollFirstOption(limit: limit) : EntryWords.pollOption(index + 1)
      let left = limit - line.editor.text.count
      let note = TextRun("  " + EntryWords.count(left, limit: limit), left < 0 ? StyleRole.error : .dim)
      line.note.lines = line.hasKeys || left < 0 ? [[note]] : []
    }
  }

  override var isEmpty: Bool { form.isEmpty }

  override var isEditable: Bool {
    didSet {
      for line in options + [duration] { line.isEditable = isEditable }
      for choice in [several, hidden] { choice.isEditable = isEditable }
    }
  }

  override func tellChanges() {
    for line in options + [duration] { line.tellChanges() }
  }

  /// Splits a whole poll typed into one option.
  override func commit() {
    tellChanges()
    if isEditable { edit { $0 = $0.split } }
  }

  private func edit(_ change: (inout PollForm) -> Void) {
    let old = form
    var new = old
    change(&new)
    guard new != old else { return }
    form = new
    didChange.send()
  }

  // MARK: Options

  private func removeOption(at index: Int) {
    guard isEditable else { return }
    edit { _ = $0.removeOption(at: index) }
    focus(max(0, index - 1))
    showLimits()
  }

  /// Inserts each line of a pasted text as an option. Returns false if the text has one line, or more lines than a
  /// poll could have.
  private func paste(_ text: String, at index: Int) -> Bool {
    let lines = SafeText.paragraphs(text).split(separator: "\n").map { $0.trimmed() }.filter { !$0.isEmpty }
    guard isEditable, (2...PasteSize.maximumLines).contains(lines.count), options.indices.contains(index) else {
      return false
    }
    let editor = options[index].editor
    let (before, after) = (editor.textBeforeCursor, editor.textAfterCursor)
    var last = index
    edit { last = $0.insert(lines, at: index, before: before, after: after) }
    focus(last)
    options[last].editor.cursorPosition = options[last].editor.text.count - after.count
    showLimits()
    return true
  }

  // MARK: Focus

  override var focusable: [View] { options.map(\.editor) + [duration.editor, several, hidden] }

  override func takeFocus() {
    switch form.problem(limits: limits)?.place {
    case .option(let index): focus(min(index, options.count - 1))
    case .duration: focus(options.count)
    case nil: focus(focusedIndex ?? options.firstIndex(where: \.isEmpty) ?? 0)
    }
    showLimits()
  }

  /// Moves between the rows. Enter in the last option adds another one.
  override func keyDown(_ key: Key) -> Bool {
    guard let index = focusedIndex else { return false }
    var target: Int
    switch TextCommand(key: key) {
    case .moveUp, .moveLeft: target = index - 1
    case .moveDown, .moveRight, .insertNewline: target = index + 1
    default:
      guard key.code == .tab else { return false }
      target = key.modifiers.contains(.shift) ? index - 1 : index + 1
    }
    // A poll typed into one row is complete.
    if TextCommand(key: key) == .insertNewline, form.split != form { return false }
    if TextCommand(key: key) == .insertNewline, index == options.count - 1, canAddOption {
      edit { $0.options.append("") }
    }
    guard focus(target) else { return false }
    showLimits()
    return true
  }

  private var canAddOption: Bool {
    isEditable && options.count < limits.options && options.last?.isEmpty == false
  }

  /// Opens the form.
  override func mouseDown(with event: MouseEvent) -> Bool { !isOpen && perform(action) }

  // MARK: Layout

  private static func isWide(_ columns: Int) -> Bool { columns >= durationColumns + 2 * choiceColumns }

  override func rowCount(forColumns columns: Int) -> Int {
    isOpen ? options.count + (Self.isWide(columns) ? 1 : 3) : 1
  }

  override func layout(in size: Size) -> Layout? {
    guard isOpen else { return .placed([]) }
    let views: [View] = options + [duration, several, hidden]
    var frames = views.indices.map { Rect(row: $0, column: 0, rows: 1, columns: size.columns) }
    if Self.isWide(size.columns) {
      var column = 0
      for (index, columns) in zip(options.count..., [Self.durationColumns, Self.choiceColumns, Self.choiceColumns]) {
        frames[index] = Rect(row: options.count, column: column, rows: 1, columns: columns)
        column += columns
      }
    }
    // If not all rows fit, the focused one is visible.
    let focused = frames[focusedIndex ?? 0].origin.row
    let first = max(0, min(focused - size.rows / 2, rowCount(forColumns: size.columns) - size.rows))
    let shown = zip(views, frames).filter { (first..<(first + size.rows)).contains($1.origin.row) }
    return .placed(
      shown.map { view, frame in
        (view, Rect(origin: Point(row: frame.origin.row - first, column: frame.origin.column), size: frame.size))
      })
  }

  override func draw(in canvas: Canvas) {
    guard !isOpen else { return }
    canvas.write(
      [TextRun("\(EntryWords.pollLabel)  ", .dim), TextRun(form.summary, .text)], row: 0, column: 0)
  }

  override var linearTexts: [LinearText] {
    isOpen || isEmpty ? [] : [LinearText(.text, [EntryWords.spoken(EntryWords.pollLabel, form.summary)])]
  }
}
