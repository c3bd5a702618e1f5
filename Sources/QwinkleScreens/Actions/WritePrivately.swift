import QwinkleModel

extension QwinkCommand {
  /// Writes to a qwink's author alone.
  static let writePrivately = QwinkCommand(.writePrivately) { qwink, context in
    context.navigator.write(.message(to: qwink.author))
  }
}
