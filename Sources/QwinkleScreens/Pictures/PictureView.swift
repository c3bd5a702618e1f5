import PaneKit
import Pictures
import Terminal

/// A picture in the middle of a view, text in its place, or several pictures as thumbnails.
@MainActor
final class PictureView: View {
  /// Called when the view's size has changed.
  var didResize: (@MainActor () -> Void)?

  private var picture: Picture?
  private var words = ""
  private var thumbnails: [PictureThumbnail] = []
  private var toldSize = Size.zero

  override init() {
    super.init()
    acceptsFirstResponder = true
  }

  func show(_ picture: Picture?, words: String) {
    guard picture != self.picture || words != self.words || !thumbnails.isEmpty else { return }
    self.picture = picture
    self.words = words
    thumbnails = []
    setNeedsDisplay()
  }

  func show(_ thumbnails: [PictureThumbnail]) {
    guard thumbnails != self.thumbnails else { return }
    self.thumbnails = thumbnails
    setNeedsDisplay()
  }

  override func updateProperties() {
    guard frame.size != toldSize else { return }
    toldSize = frame.size
    didResize?()
  }

  override func draw(in canvas: Canvas) {
    guard thumbnails.isEmpty else {
      for thumbnail in thumbnails { draw(thumbnail, in: canvas) }
      return
    }
    guard let picture else {
      let column = max(0, (canvas.size.columns - DisplayWidth.columns(of: words)) / 2)
      canvas.write(words, row: canvas.size.rows / 2, column: column, role: .dim)
      return
    }
    canvas.draw(
      picture, row: max(0, (canvas.size.rows - picture.size.rows) / 2),
      column: max(0, (canvas.size.columns - picture.size.columns) / 2), by: window?.application?.driver)
  }

  private func draw(_ thumbnail: PictureThumbnail, in canvas: Canvas) {
    let rect = thumbnail.rect
    if thumbnail.isSelected {
      for row in 0..<rect.size.rows {
        canvas.write("▌", row: rect.origin.row + row, column: rect.origin.column - 1, role: .selection)
      }
    }
    let size = thumbnail.picture?.size ?? rect.size
    let row = rect.origin.row + max(0, (rect.size.rows - size.rows) / 2)
    let column = rect.origin.column + max(0, (rect.size.columns - size.columns) / 2)
    if let picture = thumbnail.picture {
      canvas.draw(picture, row: row, column: column, by: window?.application?.driver)
    }
    let words = DisplayWidth.truncated(thumbnail.words, to: rect.size.columns)
    canvas.write(
      words, row: rect.origin.row + rect.size.rows / 2,
      column: rect.origin.column + (rect.size.columns - DisplayWidth.columns(of: words)) / 2, role: .dim)
    guard !thumbnail.mark.isEmpty else { return }
    canvas.write(
      DisplayWidth.truncated(" \(thumbnail.mark) ", to: size.columns), row: row + size.rows - 1, column: column,
      role: .strong)
  }
}
