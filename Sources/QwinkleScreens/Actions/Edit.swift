import PaneKit
import QwinkleModel

extension QwinkCommand {
  /// Gives one's own qwink another text.
  static let edit = QwinkCommand(.edit) { qwink, context in
    guard context.isMine(qwink) else { return context.navigator.say("Only your own qwinks can be edited.", .warning) }
    context.navigator.write(.edit(qwink))
  }
}
