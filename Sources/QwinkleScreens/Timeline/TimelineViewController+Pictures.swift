import PaneKit
import Pictures
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// The pictures of the qwinks in sight.
extension TimelineViewController {
  /// How long the reader rests before pictures are fetched.
  private static let rest = Duration.milliseconds(150)

  /// The pictures of a qwink's cell; nil where none are shown.
  func pictures(of qwink: Qwink) -> CellPictures? {
    guard let shelf, settings.density == .comfortable, let means = PictureShelf.Means(view.window, settings.pictures)
    else { return nil }
    return CellPictures(
      qwink, shelf: shelf, means: means, driver: view.window?.application?.driver,
      isRevealed: account.timelines.isRevealed(qwink))
  }

  /// Looks at the pictures of the rows in sight once the reader rests.
  func lookAtPicturesSoon() {
    guard shelf != nil, isOnScreen else { return }
    pictureTimer = account.clock.schedule(after: Self.rest) { [weak self] in self?.lookAtPictures() }
  }

  /// Looks at none.
  func lookAway() {
    pictureTimer = nil
    shelf?.lookAway(self)
  }

  private func lookAtPictures() {
    pictureTimer = nil
    guard let shelf, isOnScreen else { return }
    let columns = QwinkCellLayout.textColumns(forColumns: list.frame.size.columns)
    let qwinks = rows[shownRows.clamped(to: rows.indices)].compactMap(\.qwink)
    for qwink in qwinks where qwink.author.isLocal {
      if let avatar = qwink.author.avatarURL { shelf.trust(hostOf: avatar) }
    }
    let pictures = qwinks.compactMap { qwink in
      self.pictures(of: qwink).map {
        ($0, isOpen: QwinkCellData.warning(of: qwink) == nil || account.timelines.isRevealed(qwink))
      }
    }
    // Avatars are small, and the same again and again.
    let wishes =
      pictures.compactMap(\.0.avatar)
      + pictures.filter(\.isOpen).flatMap { $0.0.wishes(textColumns: columns).filter { !$0.order.fills } }
    var seen: Set<PictureWish> = []
    shelf.look(at: wishes.filter { seen.insert($0).inserted }, for: self) { [weak self] in
      self?.list.setNeedsDisplay()
    }
  }
}

extension Qwinker {
  /// Whether the account is of the server itself.
  var isLocal: Bool { !handle.contains("@") }
}
