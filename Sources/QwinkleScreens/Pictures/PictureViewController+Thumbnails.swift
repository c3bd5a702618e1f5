import OnDemandResources
import PaneKit
import Pictures
import QwinkleModel
import Terminal

/// Several pictures as thumbnails.
extension PictureViewController {
  func registerThumbnailActions() {
    on(.openPicture) { [weak self] in self?.openSelected() }
    on(.toggleThumbnails) { [weak self] in self?.toggleThumbnails() }
    on(.back, when: { [weak self] in self?.canGoBackToThumbnails ?? false }) { [weak self] in self?.toggleThumbnails() }
  }

  /// The grid that is shown; nil if one picture is shown in full.
  var grid: PictureGrid? { wantsThumbnails ? possibleGrid : nil }

  /// The grid that can be shown. Nil for a single picture, a small window, a terminal without pictures, and covered
  /// pictures.
  var possibleGrid: PictureGrid? {
    guard isRevealed, shelf != nil, thumbnailRendering != nil else { return nil }
    return PictureGrid(count: qwink.attachments.count, in: picture.frame.size)
  }

  /// Pictures over the cells can be drawn only one at a time, so thumbnails are drawn as in lists.
  private var thumbnailRendering: PictureShelf.Rendering? { PictureShelf.Rendering(view.window, settings.pictures) }

  private var canGoBackToThumbnails: Bool { !wantsThumbnails && possibleGrid != nil }

  /// Shows the selected thumbnail in full. A video or sound that is shown in full already is played.
  private func openSelected() {
    guard grid == nil else { return showInFull() }
    if loadByKey() { return }
    if attachment?.isPlayed == true { play() } else { navigator?.say(PictureWords.inFull, .dim) }
  }

  func showInFull() {
    wantsThumbnails = false
    zoom = .fit
    if !loadByKey() { update() }
  }

  private func toggleThumbnails() {
    guard possibleGrid != nil else {
      let isSeveral = qwink.attachments.count > 1
      return navigator?.say(isSeveral ? PictureWords.noThumbnails : PictureWords.onlyOne, .dim) ?? ()
    }
    wantsThumbnails.toggle()
    zoom = .fit
    if !loadByKey() { update() }
  }

  /// Selects another picture, in the grid or in full.
  func select(_ index: Int) {
    guard qwink.attachments.indices.contains(index), index != self.index else { return }
    self.index = index
    zoom = .fit
    if !loadByKey() { update() }
  }

  func show(_ grid: PictureGrid) {
    clear()
    guard let shelf, let rendering = thumbnailRendering, isOnScreen else { return }
    let wishes = zip(qwink.attachments.indices, grid.rects).map { index, rect in
      qwink.attachments[index].coverURL.map {
        PictureWish(address: $0, tag: .thumbnail(index, of: qwink), order: rendering.order(room: rect.size))
      }
    }
    shelf.look(at: wishes.compactMap(\.self), for: self, isByKey: isByKey) { [weak self] in
      guard let self, let grid = self.grid else { return }
      showThumbnails(in: grid, wishes, rendering)
    }
    showThumbnails(in: grid, wishes, rendering)
  }

  private func showThumbnails(in grid: PictureGrid, _ wishes: [PictureWish?], _ rendering: PictureShelf.Rendering) {
    guard let shelf, wishes.count == grid.rects.count else { return }
    picture.show(
      grid.rects.indices.map { place in
        let attachment = qwink.attachments[place]
        var thumbnail = PictureThumbnail(
          rect: grid.rects[place], words: "", mark: PictureWords.mark(of: attachment), isSelected: place == index)
        // The kind of file replaces a missing picture.
        guard let wish = wishes[place] else {
          thumbnail.words = AttachmentWords.name(of: attachment)
          thumbnail.mark = ""
          return thumbnail
        }
        let state = shelf.state(of: wish)
        if case .shown(let picture) = state {
          thumbnail.picture = picture
          return thumbnail
        }
        let shape = (
          attachment.width ?? PictureSlot.usualShape.width, attachment.height ?? PictureSlot.usualShape.height
        )
        let size = PictureFit.size(
          width: shape.0, height: shape.1, in: grid.rects[place].size, cell: rendering.cell)
        thumbnail.picture = shelf.blurred(attachment.blurhash.flatMap(Blurhash.init), size)
        switch state {
        case .loading(let fraction): thumbnail.words = PictureWords.loading(fraction)
        case .failed(let reason): thumbnail.words = reason
        case .none, .shown: break
        }
        return thumbnail
      })
  }
}
