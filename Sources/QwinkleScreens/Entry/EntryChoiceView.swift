import PaneKit
import Terminal

/// A row of a form with a yes or a no. Space changes it.
@MainActor
final class EntryChoiceView: View {
  private let label: String
  /// The columns of the labels above, if the row begins at the left.
  private let labelColumns: Int
  var isEditable = true
  /// Sent after the user has changed the choice.
  var didChange = TargetActions()
  var isOn = false {
    didSet { if isOn != oldValue { setNeedsDisplay() } }
  }

  init(_ label: String, labelColumns: Int) {
    self.label = label
    self.labelColumns = labelColumns
    super.init()
    acceptsFirstResponder = true
  }

  private var word: String { isOn ? EntryWords.yes : EntryWords.no }

  private var wordColumn: Int { (frame.origin.column == 0 ? labelColumns : DisplayWidth.columns(of: label)) + 2 }

  override func draw(in canvas: Canvas) {
    canvas.write(label, row: 0, column: 0, role: .dim)
    canvas.write(word, row: 0, column: wordColumn)
  }

  override var cursor: Point? { Point(row: 0, column: min(wordColumn, max(0, frame.size.columns - 1))) }

  override var linearTexts: [LinearText] {
    window?.firstResponder === self ? [LinearText(.text, [EntryWords.spoken(label, word)])] : []
  }

  // MARK: Input

  override func keyDown(_ key: Key) -> Bool {
    switch key.typedCharacter {
    case " ": choose(!isOn)
    case EntryWords.yes.first: choose(true)
    case EntryWords.no.first: choose(false)
    default: return false
    }
    return true
  }

  override func mouseDown(with event: MouseEvent) -> Bool {
    window?.makeFirstResponder(self)
    choose(!isOn)
    return true
  }

  private func choose(_ isOn: Bool) {
    guard isEditable, isOn != self.isOn else { return }
    self.isOn = isOn
    didChange.send()
  }
}
