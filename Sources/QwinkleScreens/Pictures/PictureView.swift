import PaneKit
import Pictures
import Terminal

/// A picture in the middle of a view, or text in its place.
@MainActor
final class PictureView: View {
  /// Called when the view's size has changed.
  var didResize: (@MainActor () -> Void)?

  private var picture: Picture?
  private var words = ""
  private var toldSize = Size.zero

  override init() {
    super.init()
    acceptsFirstResponder = true
  }

  func show(_ picture: Picture?, words: String) {
    guard picture != self.picture || words != self.words else { return }
    self.picture = picture
    self.words = words
    setNeedsDisplay()
  }

  override func updateProperties() {
    guard frame.size != toldSize else { return }
    toldSize = frame.size
    didResize?()
  }

  override func draw(in canvas: Canvas) {
    guard let picture else {
      let column = max(0, (canvas.size.columns - DisplayWidth.columns(of: words)) / 2)
      canvas.write(words, row: canvas.size.rows / 2, column: column, role: .dim)
      return
    }
    canvas.draw(
      picture, row: max(0, (canvas.size.rows - picture.size.rows) / 2),
      column: max(0, (canvas.size.columns - picture.size.columns) / 2), by: window?.application?.driver)
  }
}
