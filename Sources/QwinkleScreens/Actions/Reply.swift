import QwinkleAccount
import QwinkleModel

extension QwinkCommand {
  /// Answers a qwink's author; whoever boosted it is not meant.
  static let reply = QwinkCommand(.reply) { qwink, context in
    // What may be direct is answered so.
    context.navigator.write(.reply(to: context.inbox.message(from: qwink) ?? qwink))
  }
}
