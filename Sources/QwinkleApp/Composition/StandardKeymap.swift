import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleResources

extension Keymap {
  /// The standard keymap, or the error in its text. The text is parsed on first use.
  static let standard = Result { () throws(KeymapError) in try Keymap(text: QwinkleResources.keymap) }

  /// Returns this keymap overlaid with the built-in keymap called `name` and then with the user's `text`. An unknown
  /// `name` or a missing `text` is skipped. Also returns the problems in `text`.
  func with(ready name: String, user text: String?) -> (keymap: Keymap, problems: [ConfigProblem]) {
    let ready = QwinkleResources.keymap(named: name).map { overlaid(by: $0).keymap } ?? self
    guard let text else { return (ready, []) }
    let overlay = ready.overlaid(by: text)
    return (overlay.keymap, overlay.configProblems)
  }

  func overlaid(by text: String, allowsCommands: Bool = true) -> KeymapOverlay {
    KeymapOverlay(text, over: self, allowsCommands: allowsCommands) { NearestWord.find($0, among: $1) }
  }

  /// Returns this keymap overlaid with a keymap from the web, and the problems in that keymap. Since its author may be
  /// a stranger, it can't contain macros or commands.
  func with(fetched text: String) -> (keymap: Keymap, problems: [ConfigProblem]) {
    let overlay = overlaid(by: text, allowsCommands: false)
    return (overlay.keymap, overlay.configProblems)
  }
}

extension KeymapOverlay {
  fileprivate var configProblems: [ConfigProblem] {
    problems.map { ConfigProblem(line: $0.line, column: $0.column, sentence: $0.sentence) }
  }
}
