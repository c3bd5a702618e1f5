import Terminal

@testable import PaneKit

/// A controller with a state to keep, and a view that takes keys.
@MainActor
final class KeepingController: ViewController {
  /// What it keeps for the next start.
  var words: String
  /// What it was given at the start.
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
