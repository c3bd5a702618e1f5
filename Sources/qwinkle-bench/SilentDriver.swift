import Terminal

/// A driver that shows nothing.
protocol SilentDriver: TerminalDriver {}

extension SilentDriver {
  func start() {}
  func present(_ frame: Frame) {}
  func append(_ text: String) {}
  func copy(_ text: String) -> Bool { false }
  func setTitle(_ title: String) {}
  func callAttention(_ text: String?) {}
  func use(_ form: TextForm) {}
  func redrawAll() {}
  func suspend() {}
  func resume() {}
  func stop() {}
}
