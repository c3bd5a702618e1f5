import Terminal

/// A driver of a 100x30 terminal that shows nothing.
final class SilentDriver: TerminalDriver {
  weak var delegate: (any TerminalDriverDelegate)?
  let size = Size(rows: 30, columns: 100)
  let capabilities = TerminalCapabilities(colors: 256)
  var usesMouse = false
  var colors = ColorChoice.auto
  let statistics = TerminalStatistics()

  func press(_ key: Character) { delegate?.terminalDriver(self, didReceive: [.key(.character(key))]) }

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
