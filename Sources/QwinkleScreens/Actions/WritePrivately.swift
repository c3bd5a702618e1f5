import QwinkleModel
import QwinkleStore

extension QwinkerCommand {
  /// Writes to somebody alone: where one talks with them already, or else in an entry. What was begun there is taken up.
  static let writePrivately = QwinkerCommand(.writePrivately) { qwinker, context in
    let begun = context.drafts?.load(.message(to: qwinker))
    if begun == nil, let known = context.inbox.conversation(with: qwinker) {
      context.navigator.show(.conversation(known))
    } else {
      context.navigator.write(.message(to: qwinker))
    }
  }
}
