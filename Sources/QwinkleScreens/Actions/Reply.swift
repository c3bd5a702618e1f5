import QwinkleModel

extension QwinkCommand {
  /// Answers a qwink's author; whoever boosted it is not meant.
  static let reply = QwinkCommand(.reply) { qwink, context in context.navigator.write(.reply(to: qwink)) }
}
