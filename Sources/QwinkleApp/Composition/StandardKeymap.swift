import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleResources

extension Keymap {
  /// The program's keymap, parsed on first use, or the error in its text.
  static let standard = Result { () throws(KeymapError) in try Keymap(text: QwinkleResources.keymap) }

  /// This keymap with a ready one over it, called `name`, and the user's `text` over both, and what is wrong in that.
  func with(ready name: String, user text: String?) -> (keymap: Keymap, problems: [ConfigProblem]) {
    let ready = QwinkleResources.keymap(named: name).map { overlaid(by: $0).keymap } ?? self
    guard let text else { return (ready, []) }
    let overlay = ready.overlaid(by: text)
    return (
      overlay.keymap,
      overlay.problems.map { ConfigProblem(line: $0.line, column: $0.column, sentence: $0.sentence) }
    )
  }

  func overlaid(by text: String) -> KeymapOverlay {
    KeymapOverlay(text, over: self) { NearestWord.find($0, among: $1) }
  }
}
