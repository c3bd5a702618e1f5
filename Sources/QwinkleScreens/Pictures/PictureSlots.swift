import OnDemandResources
import PaneKit
import Pictures
import QwinkleModel
import Terminal

/// A picture in a list, before it gets a size in cells.
struct PictureSlot: Hashable {
  var address: String
  var tag: ResourceTag
  /// Width and height in pixels, or ``usualShape`` if the server doesn't report the size.
  var width: Int
  var height: Int
  var blurhash: Blurhash?
  /// Whether the picture stays covered until the user reveals it.
  var isCovered: Bool
  /// The size of a terminal cell.
  var cell = CellSize.common
  /// Drawn in a corner, such as `▶ 1:24` on the cover of a video. Empty for a picture.
  var mark = ""
  /// Maximum height of the picture.
  var mostRows = PictureRow.mostRows

  /// A common shape of photographs.
  static let usualShape = (width: 4, height: 3)
}

/// Layout of a qwink's pictures, next to each other below its text.
enum PictureRow {
  static let mostRows = 8
  /// Maximum height of a link preview's picture in a list.
  static let mostCardRows = 4
  static let mostColumns = 64
  private static let fewestColumns = 4
  private static let gap = 1

  /// The position of a picture in the row.
  struct Place: Hashable {
    var slot: PictureSlot
    /// Relative to the first column of the text.
    var column: Int
    var size: Size
  }

  /// Returns the positions of the pictures below a text that is `columns` wide. Omits pictures that don't fit.
  static func places(_ slots: [PictureSlot], columns: Int) -> [Place] {
    guard !slots.isEmpty else { return [] }
    let room = min(columns, mostColumns)
    let each = (room + gap) / slots.count - gap
    guard each >= fewestColumns || slots.count == 1 else {
      return places(Array(slots.prefix(max(1, (room + gap) / (fewestColumns + gap)))), columns: columns)
    }
    var column = 0
    return slots.map { slot in
      let room = Size(rows: slot.mostRows, columns: each)
      let size = PictureFit.size(width: slot.width, height: slot.height, in: room, cell: slot.cell)
      defer { column += size.columns + gap }
      return Place(slot: slot, column: column, size: size)
    }
  }
}

/// The pictures in one list cell: the avatar and the attachments.
@MainActor
struct CellPictures {
  nonisolated static let avatarSize = Size(rows: 2, columns: 3)

  let shelf: PictureShelf
  let rendering: PictureShelf.Rendering
  private weak var driver: (any TerminalDriver)?
  let avatar: PictureWish?
  let slots: [PictureSlot]
  /// The emoji in the texts and names, if the terminal shows them as pictures.
  let emoji: EmojiPictures?

  /// Whether ``slots`` is the picture of the link preview.
  let isOfCard: Bool

  /// Creates the pictures of a qwink in a list. `isWhole`: whether the cell shows the qwink in full, with a larger
  /// picture of its link preview.
  init(
    _ qwink: Qwink, shelf: PictureShelf, rendering: PictureShelf.Rendering, driver: (any TerminalDriver)?,
    isRevealed: Bool, isWhole: Bool = false
  ) {
    self.shelf = shelf
    self.driver = driver
    self.rendering = rendering
    avatar = Self.avatar(of: qwink.author, rendering)
    emoji = EmojiPictures(qwink.emoji + qwink.author.emoji, shelf: shelf, rendering: rendering)
    let isCovered = qwink.isSensitive && !isRevealed
    let tag = ResourceTag.pictures(of: qwink)
    let attached = qwink.attachments.compactMap { attachment in
      attachment.coverURL.map {
        PictureSlot(
          address: $0, tag: tag, width: attachment.width ?? PictureSlot.usualShape.width,
          height: attachment.height ?? PictureSlot.usualShape.height,
          blurhash: attachment.blurhash.flatMap(Blurhash.init), isCovered: isCovered, cell: rendering.cell,
          mark: PictureWords.mark(of: attachment))
      }
    }
    // Servers don't show previews of links next to attachments.
    let card = qwink.attachments.isEmpty ? qwink.shownCard?.picture : nil
    isOfCard = card != nil
    slots =
      card.map {
        [
          PictureSlot(
            address: $0.url, tag: tag, width: $0.width ?? PictureSlot.usualShape.width,
            height: $0.height ?? PictureSlot.usualShape.height, blurhash: $0.blurhash.flatMap(Blurhash.init),
            isCovered: isCovered, cell: rendering.cell,
            mostRows: isWhole ? PictureRow.mostRows : PictureRow.mostCardRows)
        ]
      } ?? attached
  }

  /// Creates the avatar of a qwinker in a list. Returns nil if the qwinker has no avatar or only the server's default
  /// avatar.
  init?(_ qwinker: Qwinker, shelf: PictureShelf, rendering: PictureShelf.Rendering, driver: (any TerminalDriver)?) {
    guard let avatar = Self.avatar(of: qwinker, rendering) else { return nil }
    self.shelf = shelf
    self.rendering = rendering
    self.driver = driver
    self.avatar = avatar
    emoji = nil
    slots = []
    isOfCard = false
  }

  private static func avatar(of qwinker: Qwinker, _ rendering: PictureShelf.Rendering) -> PictureWish? {
    qwinker.ownAvatar.map {
      PictureWish(address: $0, tag: .avatar(of: qwinker), order: rendering.order(room: avatarSize, fills: true))
    }
  }

  /// Returns the height of the pictures in a cell with `textColumns` columns for text.
  func rows(textColumns: Int) -> Int {
    PictureRow.places(slots, columns: textColumns).map(\.size.rows).max() ?? 0
  }

  /// Returns the pictures needed for a cell with `textColumns` columns for text. Covered pictures aren't needed.
  func wishes(textColumns: Int) -> [PictureWish] {
    PictureRow.places(slots, columns: textColumns).filter { !$0.slot.isCovered }.map { wish($0) }
  }

  private func wish(_ place: PictureRow.Place) -> PictureWish {
    PictureWish(address: place.slot.address, tag: place.slot.tag, order: rendering.order(room: place.size))
  }

  /// Draws the avatar over the initials if it is loaded.
  func drawAvatar(in canvas: Canvas, row: Int, column: Int = CellLine.avatarColumn) {
    guard let avatar, case .shown(let picture) = shelf.state(of: avatar) else { return }
    canvas.draw(picture, row: row, column: column, by: driver)
  }

  /// Draws the avatar over the initials in `lines` if it is loaded.
  func drawAvatar(in canvas: Canvas, beside lines: [CellLine]) {
    if let row = lines.firstIndex(where: { $0.avatar != nil }) { drawAvatar(in: canvas, row: row) }
  }

  /// Draws the emoji in `lines`, which were drawn into `canvas`.
  func drawEmoji(in canvas: Canvas, over lines: [CellLine]) { emoji?.draw(over: lines, in: canvas, by: driver) }

  /// Draws pictures next to each other.
  func draw(_ places: [PictureRow.Place], in canvas: Canvas, row: Int, column: Int) {
    for place in places { draw(place, in: canvas, row: row, column: column + place.column) }
  }

  /// Draws a picture, or a placeholder until it is loaded, and its mark.
  private func draw(_ place: PictureRow.Place, in canvas: Canvas, row: Int, column: Int) {
    drawPicture(place, in: canvas, row: row, column: column)
    guard !place.slot.isCovered, !place.slot.mark.isEmpty else { return }
    canvas.write(
      DisplayWidth.truncated(" \(place.slot.mark) ", to: place.size.columns), row: row + place.size.rows - 1,
      column: column, role: .strong)
  }

  private func drawPicture(_ place: PictureRow.Place, in canvas: Canvas, row: Int, column: Int) {
    let state = place.slot.isCovered ? PictureState.none : shelf.state(of: wish(place))
    if case .shown(let picture) = state { return canvas.draw(picture, row: row, column: column, by: driver) }
    if let blurred = shelf.blurred(place.slot.blurhash, place.size) {
      canvas.draw(blurred, row: row, column: column, by: driver)
    }
    if place.slot.isCovered, place.slot.blurhash == nil {
      for line in 0..<place.size.rows {
        canvas.write(
          String(repeating: "░", count: place.size.columns), row: row + line, column: column, role: .dim)
      }
    }
    let words =
      switch state {
      case .loading(let fraction): PictureWords.loading(fraction)
      case .failed(let reason): reason
      case .none, .shown: place.slot.isCovered ? " \(PictureWords.covered) " : ""
      }
    let room = max(0, place.size.columns)
    let cut = DisplayWidth.truncated(words.namingKeys, to: room)
    canvas.write(
      cut, row: row + place.size.rows / 2, column: column + (room - DisplayWidth.columns(of: cut)) / 2, role: .dim)
  }
}

extension Qwinker {
  /// The URL of an avatar chosen by the qwinker; nil for a server's default avatar.
  var ownAvatar: String? {
    guard let avatarURL, !avatarURL.isEmpty, !avatarURL.hasSuffix("/missing.png"),
      !avatarURL.hasSuffix("/avatars/\(userName).png")
    else { return nil }
    return avatarURL
  }
}
