import PaneKit
import QwinkleResources

extension Keymap {
  /// The program's keymap, parsed on first use, or the error in its text.
  static let standard = Result { () throws(KeymapError) in try Keymap(text: QwinkleResources.keymap) }
}
