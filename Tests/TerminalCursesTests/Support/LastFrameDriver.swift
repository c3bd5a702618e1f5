import Terminal

/// A terminal in memory that stores only its last frame.
@MainActor
final class LastFrameDriver: TerminalDriver {
  weak var delegate: (any TerminalDriverDelegate)?
  private(set) var size: Size
  private(set) var frame: Frame?
  let capabilities = TerminalCapabilities(colors: 256)
  let statistics = TerminalStatistics()
  var usesMouse = true
  var colors = ColorChoice.auto

  init(size: Size) {
    self.size = size
  }

  var rows: [String] {
    guard let grid = frame?.grid else { return [] }
    return (0..<grid.size.rows).map { grid.text(ofRow: $0) }
  }

  func start() {}
  func present(_ frame: Frame) { self.frame = frame }
  func append(_ text: String) {}
  func copy(_ text: String) -> Bool { false }
  func setTitle(_ title: String) {}
  func callAttention(_ text: String?) {}
  func use(_ form: TextForm) {}
  func redrawAll() {}
  func suspend() {}
  func resume() {}
  func stop() {}

  func resize(to size: Size) {
    guard size != self.size else { return }
    self.size = size
    delegate?.terminalDriver(self, didReceive: [.resize(size)])
  }

  func press(_ keys: [Key]) {
    delegate?.terminalDriver(self, didReceive: keys.map { .key($0) })
  }
}
