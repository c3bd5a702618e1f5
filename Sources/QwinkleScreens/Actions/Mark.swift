import QwinkleModel

extension QwinkCommand {
  /// Keeps a qwink for later, which nobody else sees, or no longer.
  static let mark = QwinkCommand(.mark) { qwink, context in toggle(.mark, of: qwink, context) }
}
