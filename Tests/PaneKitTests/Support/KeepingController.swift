import Terminal

@testable import PaneKit

/// A controller with restorable state and a focusable view.
@MainActor
final class KeepingController: ViewController {
  /// Text to save.
  var words: String
  /// Text restored at launch, if any.
  private(set) var restored: String?

  init(_ identifier: String? = nil, words: String = "") {
    self.words = words
    super.init(view: TestView(acceptsFirstResponder: true))
    restorationIdentifier = identifier
  }

  var keys: [Key] { (view as? TestView)?.keys ?? [] }

  override func encodeRestorableState(with state: inout RestorableState) {
    state["words"] = words.isEmpty ? nil : words
  }

  override func decodeRestorableState(with state: RestorableState) {
    restored = state["words"]
  }
}
