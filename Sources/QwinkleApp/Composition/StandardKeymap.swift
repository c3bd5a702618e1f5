import PaneKit
import QwinkleResources

extension Keymap {
  /// The program's own keys, read when first asked for; the failure where its text is at fault.
  static let standard = Result { () throws(KeymapError) in try Keymap(text: QwinkleResources.keymap) }
}
