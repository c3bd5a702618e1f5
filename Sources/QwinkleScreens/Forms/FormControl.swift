import PaneKit
import Terminal

/// The input of a field: an editor, or a choice between a few words.
@MainActor
enum FormControl {
  case editor(TextEditor)
  case choice(FormChoiceView)

  var view: View {
    switch self {
    case .editor(let editor): editor
    case .choice(let choice): choice
    }
  }

  var editor: TextEditor? { if case .editor(let editor) = self { editor } else { nil } }

  var text: String {
    get {
      switch self {
      case .editor(let editor): editor.text
      case .choice(let choice): choice.text
      }
    }
    nonmutating set {
      switch self {
      case .editor(let editor): editor.text = newValue
      case .choice(let choice): choice.text = newValue
      }
    }
  }
}

/// A field with a few possible words. Space and the arrow keys change it, and a letter chooses the next word that
/// begins with it.
@MainActor
final class FormChoiceView: View {
  private let label: String
  private let choices: [String]
  var isEditable = true
  /// Sent after the user has changed the choice.
  var didChange = TargetActions()
  /// The chosen word. It can be a word that isn't among the choices, until the user changes it.
  var text: String {
    didSet { if text != oldValue { setNeedsDisplay() } }
  }

  init(_ label: String, choices: [String], text: String) {
    self.label = label
    self.choices = choices
    self.text = text
    super.init()
    acceptsFirstResponder = true
  }

  override func draw(in canvas: Canvas) { canvas.write(text, row: 0, column: 0) }

  /// Sent when the view is no longer the first responder.
  var didResign = TargetActions()

  override func didResignFirstResponder() { didResign.send() }

  override var cursor: Point? { Point(row: 0, column: 0) }

  override var linearTexts: [LinearText] {
    window?.firstResponder === self ? [LinearText(.text, [EntryWords.spoken(label, text)])] : []
  }

  // MARK: Input

  override func keyDown(_ key: Key) -> Bool {
    switch TextCommand(key: key) {
    case .moveLeft: step(by: -1)
    case .moveRight: step(by: 1)
    default:
      guard let character = key.typedCharacter else { return false }
      character == " " ? step(by: 1) : choose(character)
    }
    return true
  }

  override func mouseDown(with event: MouseEvent) -> Bool {
    window?.makeFirstResponder(self)
    step(by: 1)
    return true
  }

  private func step(by count: Int) {
    guard isEditable, !choices.isEmpty else { return }
    let index = choices.firstIndex(of: text).map { ($0 + count + choices.count) % choices.count } ?? 0
    change(to: choices[index])
  }

  private func choose(_ letter: Character) {
    let index = choices.firstIndex(of: text).map { $0 + 1 } ?? 0
    let next = (choices[index...] + choices[..<index]).first { $0.lowercased().first == letter.lowercased().first }
    if isEditable, let next { change(to: next) }
  }

  private func change(to word: String) {
    guard word != text else { return }
    text = word
    didChange.send()
  }
}
