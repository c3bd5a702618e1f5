import OnDemandResources
public import PaneKit
import Pictures
public import QwinkleAccount
public import QwinkleModel
public import Terminal

/// The pictures of a qwink with their descriptions: all as thumbnails, or one at a time, as large as the pane.
@MainActor
public final class PictureViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  let qwink: Qwink
  /// The user's server's copy of ``qwink`` if that is of another server and the copy was found.
  private var ownCopy: Qwink?
  let account: Account
  let shelf: PictureShelf?
  let settings: ReaderSettings
  private let links: LinkActions
  public let titleRule = RuleView()
  let picture = PictureView()
  private let text = TextView()
  var index = 0
  /// Whether several pictures are shown as thumbnails if they fit.
  var wantsThumbnails = true
  /// Zoom of the current picture.
  var zoom = PictureZoom.fit
  /// The displayed picture and the index of its attachment; nil while text is shown.
  private var shown: (wish: PictureWish, picture: Picture, index: Int)?
  /// Whether a key opened or changed this screen. Until then, a restored screen loads nothing over a metered
  /// connection.
  private(set) var isByKey = true
  /// Loading progress of the current picture.
  private var progress: String? {
    didSet { if progress != oldValue { navigator?.statusDidChange(of: self) } }
  }
  /// True if the user revealed the pictures on this screen, false if they covered them again, nil if they did neither.
  private var choice: Bool?

  init(qwink: Qwink, account: Account, shelf: PictureShelf?, settings: ReaderSettings, links: LinkActions) {
    self.qwink = qwink
    self.account = account
    self.shelf = shelf
    self.settings = settings
    self.links = links
    super.init()
    for subview in [titleRule, picture, text] { view.addSubview(subview) }
    preferredFirstResponder = picture
    title = PictureWords.title(0, of: qwink.attachments.count)
    keyContext = .picture
    picture.didResize = { [weak self] in self?.update() }
    registerActions()
    settings.didChange.add(self) { $0.update() }
    account.addObserver(self)
    update()
  }

  private func registerActions() {
    on(.nextPicture) { [weak self] in self?.move(by: 1) }
    on(.previousPicture) { [weak self] in self?.move(by: -1) }
    registerThumbnailActions()
    on(.play) { [weak self] in self?.play() }
    on(.pictureRight) { [weak self] in self?.go(columns: 1, rows: 0) }
    on(.pictureLeft) { [weak self] in self?.go(columns: -1, rows: 0) }
    on(.pictureDown) { [weak self] in self?.go(columns: 0, rows: 1) }
    on(.pictureUp) { [weak self] in self?.go(columns: 0, rows: -1) }
    on(.zoomIn) { [weak self] in self?.zoom(to: \.larger) }
    on(.zoomOut) { [weak self] in self?.zoom(to: \.smaller) }
    on(.fitPicture) { [weak self] in self?.zoom(to: \.whole) }
    on(.savePicture) { [weak self] in self?.askWhereToSave() }
    on(.reveal, when: { [weak self] in self?.canReveal ?? false }) { [weak self] in self?.toggleReveal() }
    on(.openLink) { [weak self] in self?.openOutside() }
  }

  override public func layout(in size: Size) -> Layout? {
    // A long description leaves two thirds of the height to the picture.
    .rows([.fixed(1): titleRule, .fill: picture, .fixed(min(max(1, size.rows / 3), descriptionRows(in: size))): text])
  }

  /// Returns the rows of the description. With thumbnails, returns the rows of the longest description, so that a move
  /// to another thumbnail doesn't change their sizes.
  private func descriptionRows(in size: Size) -> Int {
    let columns = max(1, size.columns - 2 * text.margin)
    func rows(_ paragraphs: [[TextRun<StyleRole>]]) -> Int {
      paragraphs.reduce(0) { $0 + TextLayout.wrap($1, columns: columns).count }
    }
    guard wantsThumbnails, isRevealed else { return rows(text.paragraphs) }
    return qwink.attachments.indices.map { rows([description(at: $0)]) }.max() ?? 0
  }

  private func description(at index: Int) -> [TextRun<StyleRole>] {
    let shown = account.shown(qwink).attachments[index]
    let kind = TextRun("\(AttachmentWords.name(of: qwink.attachments[index])): ", StyleRole.dim)
    let covered = isRevealed ? nil : cover.map { TextRun("⚠ \($0.words)", StyleRole.warning) }
    return [kind, covered ?? TextRun(PictureWords.altText(of: shown), .text)]
  }

  public var status: ScreenStatus {
    var status = ScreenStatus(
      state: FeedState(), isEmpty: false,
      hints: (grid != nil ? [.openPicture] : []) + (qwink.attachments.count > 1 ? [.nextPicture] : [])
        + (canReveal ? [.reveal] : []) + (attachment?.isPlayed == true ? [.play] : [])
        + (shown == nil ? [] : zoom.isLarger ? [.zoomIn, .zoomOut, .fitPicture] : [.zoomIn])
        + (shownFile == nil ? [] : [.savePicture]) + (possibleGrid == nil ? [] : [.toggleThumbnails])
        + [.openLink, .back])
    status.progress = progress
    return status
  }

  public var selectedQwink: Qwink? { qwink.isFromOtherServer ? ownCopy : qwink }
  public var foreignQwink: Qwink? { selectedQwink == nil ? qwink : nil }
  public func didFind(_ copy: Qwink, of foreign: Qwink.ID) { if foreign == qwink.originalID { ownCopy = copy } }
  public var selectedRowKey: AnyHashable? { AnyHashable(qwink.rowID) }

  /// Retries failed downloads.
  public func refresh() {
    isByKey = true
    shelf?.forgetFailures()
    shelf?.lookAway(self)
    update()
  }

  override public func viewDidAppear() { update() }

  override public func viewDidDisappear() { shelf?.lookAway(self) }

  override public func encodeRestorableState(with state: inout RestorableState) {
    state["index"] = index == 0 ? nil : "\(index)"
    state["one"] = wantsThumbnails ? nil : "yes"
  }

  override public func decodeRestorableState(with state: RestorableState) {
    wantsThumbnails = state["one"] == nil
    if let restored = state["index"].flatMap({ Int($0) }), qwink.attachments.indices.contains(restored) {
      index = restored
    }
    isByKey = false
    update()
  }

  /// Loads the pictures of a restored screen, because the user pressed a key. Returns whether they weren't requested
  /// before.
  @discardableResult
  func loadByKey() -> Bool {
    guard !isByKey else { return false }
    isByKey = true
    shelf?.lookAway(self)
    update()
    return true
  }

  // MARK: Actions

  /// The notice that covers the qwink until the user reveals it, if any.
  private var cover: Disclosure.Cover? { account.disclosure(of: qwink, in: nil).cover }

  private var canReveal: Bool { qwink.isSensitive || cover != nil }

  /// Whether the pictures are shown: nothing covers them, or the user has revealed them.
  var isRevealed: Bool { choice ?? (!canReveal || account.timelines.isRevealed(qwink)) }

  var attachment: Attachment? {
    qwink.attachments.indices.contains(index) ? qwink.attachments[index] : nil
  }

  private func move(by step: Int) { select(index + step) }

  /// Plays the current video or sound in another program. A sensitive one must be revealed first.
  func play() {
    guard let attachment, attachment.isPlayed, let address = attachment.url.flatMap({ WebAddress($0) }) else {
      return navigator?.say(PictureWords.nothingToPlay, .dim) ?? ()
    }
    guard isRevealed else { return navigator?.say(PictureWords.sensitive, .warning) ?? () }
    links.play(address)
  }

  /// Moves to another part of a zoomed picture. If the picture isn't zoomed, moves to the next or previous picture for
  /// a horizontal step, and shows a message for a vertical step.
  private func go(columns: Int, rows: Int) {
    loadByKey()
    if let grid { return select(grid.index(from: index, columns: columns, rows: rows)) }
    guard zoom.isLarger, let shown else {
      return columns == 0 ? navigator?.say(PictureWords.notZoomed, .dim) ?? () : move(by: columns)
    }
    zoom = zoom.moved(columns: columns, rows: rows, from: shown.picture.part)
    update()
  }

  private func zoom(to path: KeyPath<PictureZoom, PictureZoom>) {
    if grid != nil { return showInFull() }
    guard shown != nil else { return navigator?.say(PictureWords.notShown, .dim) ?? () }
    let next = zoom[keyPath: path]
    guard next != zoom else {
      return navigator?.say(zoom.isLarger ? PictureWords.notLarger : PictureWords.notZoomed, .dim) ?? ()
    }
    zoom = next
    update()
  }

  /// The file of the displayed picture, if it is the attachment itself and not its preview.
  var shownFile: PictureWish? {
    guard let shown, shown.index == index, attachment?.kind == .image, shown.wish.address == attachment?.url else {
      return nil
    }
    return shown.wish
  }

  private func toggleReveal() {
    choice = !isRevealed
    if !loadByKey() { update() }
  }

  private func openOutside() {
    guard let address = attachment?.url.flatMap({ WebAddress(typed: $0) }) else { return }
    links.view(address)
  }

  // MARK: Showing

  /// Shows the current picture, or the thumbnails with the current one selected.
  func update() {
    let grid = grid
    title =
      grid == nil
      ? PictureWords.title(index, of: qwink.attachments.count, zoom)
      : PictureWords.thumbnails(index, of: qwink.attachments.count)
    guard let attachment else { return }
    text.paragraphs = [description(at: index)]
    // Linear form (for screen readers) shows no picture, so it includes the URL.
    text.linearParagraphs = text.paragraphs + (attachment.url.map { [[TextRun($0, .dim)]] } ?? [])
    if let grid { show(grid) } else { show(attachment) }
    navigator?.statusDidChange(of: self)
  }

  /// Removes the picture that is shown in full.
  func clear() {
    shown = nil
    progress = nil
  }

  private func show(_ attachment: Attachment) {
    progress = nil
    guard let shelf, let rendering = PictureShelf.Rendering(view.window, settings.pictures, alone: true) else {
      shelf?.lookAway(self)
      return say(settings.pictures == .off ? PictureWords.off : PictureWords.notHere)
    }
    guard isRevealed else {
      shelf.lookAway(self)
      return say(PictureWords.sensitive)
    }
    let address = attachment.kind == .image ? attachment.url ?? attachment.previewURL : attachment.coverURL
    guard let address, isOnScreen, picture.frame.size.rows > 0 else { return say("") }
    let wish = PictureWish(
      address: address, tag: .picture(index, of: qwink), order: rendering.order(room: picture.frame.size, zoom: zoom))
    shelf.look(at: [wish], for: self, owner: ResourceWords.viewer(of: qwink.original.author), isByKey: isByKey) {
      [weak self] in
      self?.showState(of: wish)
    }
    showState(of: wish)
  }

  private func showState(of wish: PictureWish) {
    guard let shelf else { return }
    let state = shelf.state(of: wish)
    if case .loading(let fraction) = state { progress = PictureWords.loading(fraction) } else { progress = nil }
    switch state {
    case .shown(let made):
      shown = (wish, made, index)
      picture.show(made, words: "")
    case .failed(let reason): say(PictureWords.failed(reason))
    // After a zoom or a resize, the old picture remains visible until the new one is drawn.
    case .none, .loading: if shown?.wish.address != wish.address { say(progress ?? "") }
    }
    navigator?.statusDidChange(of: self)
  }

  /// Shows text in place of a picture.
  private func say(_ words: String) {
    shown = nil
    picture.show(nil, words: words)
  }
}

extension PictureViewController: AccountObserver {
  public func accountFilterDidExpire() { update() }
}
