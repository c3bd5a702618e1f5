import QwinkleModel

extension QwinkCommand {
  /// Keeps a qwink for later, which nobody else sees, or no longer.
  static let bookmark = QwinkCommand(.bookmark) { qwink, context in toggle(.bookmark, of: qwink, context) }
}
