public import Terminal
import Testing

/// A driver without a terminal. It records the shown frames, and tests type into it.
@MainActor
public final class MemoryDriver: TerminalDriver {
  public weak var delegate: (any TerminalDriverDelegate)?
  public private(set) var size: Size
  public private(set) var capabilities: TerminalCapabilities
  public var usesMouse = true
  public var colors = ColorChoice.auto
  public let statistics = TerminalStatistics()

  /// All frames as shown. Each is the previous frame with the changed rows of the new one.
  public private(set) var frames: [Frame] = []
  /// The calls to the driver, in order: `start`, `suspend`, `resume`, `stop`, `redraw`.
  public private(set) var calls: [String] = []

  /// Text appended in linear mode.
  public private(set) var appended: [String] = []
  /// Text copied to the clipboard.
  public private(set) var copied: [String] = []
  /// The requested text forms.
  public private(set) var forms: [TextForm] = []
  /// Calls for attention, in order: each is a text or `bell`.
  public private(set) var attentionCalls: [String] = []
  /// The placed pictures, in order.
  public private(set) var placed: [PixelPicture] = []
  /// The last title.
  public private(set) var title = ""

  public init(rows: Int, columns: Int, isLinear: Bool = false, colors: Int = 256, form: TextForm = .unicode) {
    size = Size(rows: rows, columns: columns)
    var capabilities = TerminalCapabilities(colors: colors)
    capabilities.textForm = form
    capabilities.reportsMouse = true
    capabilities.takesClipboard = !isLinear
    capabilities.hasTitle = true
    capabilities.isLinear = isLinear
    self.capabilities = capabilities
  }

  /// The last frame's characters.
  public var text: String { frames.last?.grid.text ?? "" }
  public var cursor: Point? { frames.last?.cursor }

  /// Returns a row of the last frame.
  public func row(_ row: Int) -> String { frames.last?.grid.text(ofRow: row) ?? "" }

  public func start() { calls.append("start") }
  public func use(_ form: TextForm) { forms.append(form) }
  public func append(_ text: String) { appended.append(text) }
  public func setTitle(_ title: String) { self.title = title }
  public func callAttention(_ text: String?) { attentionCalls.append(text ?? "bell") }

  public func present(_ frame: Frame) {
    var shown = frame
    shown.grid = frames.last?.grid ?? CellGrid(size: frame.grid.size)
    shown.grid.show(frame)
    frames.append(shown)
  }

  public func copy(_ text: String) -> Bool {
    guard capabilities.takesClipboard else { return false }
    copied.append(text)
    return true
  }

  /// Reports that the terminal shows pixel pictures at placeholders in the text.
  public func placesPictures() {
    capabilities.placesPictures = true
    delegate?.terminalDriver(self, didReceive: [.capabilities(capabilities)])
  }

  public func place(_ picture: PixelPicture) -> PicturePlacement? {
    guard capabilities.placesPictures else { return nil }
    placed.append(picture)
    return PicturePlacement(index: placed.count)
  }

  public func redrawAll() { calls.append("redraw") }
  public func suspend() { calls.append("suspend") }
  public func resume() { calls.append("resume") }
  public func stop() { calls.append("stop") }

  /// Presses keys by their names: `press("j", "^D", "Esc")`. An unknown name fails the test.
  public func press(_ names: String...) {
    for name in names {
      guard let key = Key(name) else {
        Issue.record("“\(name)” is no key")
        continue
      }
      delegate?.terminalDriver(self, didReceive: [.key(key)])
    }
  }

  /// Types characters one after another.
  public func type(_ text: String) {
    delegate?.terminalDriver(self, didReceive: text.map { .key(.character($0)) })
  }

  public func paste(_ text: String) {
    delegate?.terminalDriver(self, didReceive: [.paste(text)])
  }

  /// Sends a mouse event.
  public func mouse(_ kind: MouseEvent.Kind, row: Int, column: Int) {
    delegate?.terminalDriver(self, didReceive: [.mouse(MouseEvent(kind, at: Point(row: row, column: column)))])
  }

  public func resize(rows: Int, columns: Int) {
    size = Size(rows: rows, columns: columns)
    delegate?.terminalDriver(self, didReceive: [.resize(size)])
  }

  /// Reports that the terminal now draws text in another form.
  public func draws(_ form: TextForm) {
    capabilities.textForm = form
    delegate?.terminalDriver(self, didReceive: [.capabilities(capabilities)])
  }

  /// Changes the size without an event, as when another program uses the terminal.
  public func resizeUnseen(rows: Int, columns: Int) {
    size = Size(rows: rows, columns: columns)
  }

  public func hangUp() {
    delegate?.terminalDriver(self, didReceive: [.hangup])
  }
}

extension CellGrid {
  /// Copies only the changed rows, as a driver does.
  public mutating func show(_ frame: Frame) {
    if frame.grid.size != size { self = CellGrid(size: frame.grid.size) }
    for row in frame.changedRows.ranges.joined() { copy(row: row, from: frame.grid) }
  }
}
