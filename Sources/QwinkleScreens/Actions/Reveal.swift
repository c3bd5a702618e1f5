import QwinkleAccount
import QwinkleModel

extension QwinkCommand {
  /// Shows or hides what is behind a warning.
  static let reveal = QwinkCommand(.reveal, needsAccount: false) { qwink, context in
    context.feed.toggleReveal(qwink)
  }
}
