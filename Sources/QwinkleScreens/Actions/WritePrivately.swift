import QwinkleModel

extension QwinkerCommand {
  /// Writes to somebody alone.
  static let writePrivately = QwinkerCommand(.writePrivately) { qwinker, context in
    context.navigator.write(.message(to: qwinker))
  }
}
