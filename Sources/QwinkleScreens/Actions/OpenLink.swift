import PaneKit
import QwinkleModel

extension QwinkCommand {
  /// Opens what a qwink leads to; where that is several things, asks which.
  static let openLink = QwinkCommand(.openLink, needsAccount: false) { qwink, context in
    context.links.open(qwink, over: context.navigator)
  }

  /// Copies a qwink's address, for whoever wants to pass it on.
  static let copyLink = QwinkCommand(.copyLink, needsAccount: false) { qwink, context in context.links.copy(qwink) }
}
