import OnDemandResources
public import PaneKit
import Pictures
import QwinkleAccount
public import QwinkleModel
public import Terminal

/// The pictures of a qwink, one at a time, as large as the pane, with their descriptions.
@MainActor
public final class PictureViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  private let qwink: Qwink
  private let account: Account
  private let shelf: PictureShelf?
  private let settings: ReaderSettings
  private let links: LinkActions
  public let titleRule = RuleView()
  private let picture = PictureView()
  private let text = TextView()
  private var index = 0
  /// How far the picture in front has come while it loads.
  private var progress: String? {
    didSet { if progress != oldValue { navigator?.statusDidChange(of: self) } }
  }
  /// Whether the reader has asked to see what is sensitive.
  private var isRevealed: Bool

  init(qwink: Qwink, account: Account, shelf: PictureShelf?, settings: ReaderSettings, links: LinkActions) {
    self.qwink = qwink
    self.account = account
    self.shelf = shelf
    self.settings = settings
    self.links = links
    isRevealed = !qwink.isSensitive || account.timelines.isRevealed(qwink)
    super.init()
    for subview in [titleRule, picture, text] { view.addSubview(subview) }
    preferredFirstResponder = picture
    title = PictureWords.title(0, of: qwink.attachments.count)
    keyContext = .picture
    picture.didResize = { [weak self] in self?.update() }
    on(.nextPicture) { [weak self] in self?.move(by: 1) }
    on(.previousPicture) { [weak self] in self?.move(by: -1) }
    on(.reveal, when: { [weak self] in self?.qwink.isSensitive ?? false }) { [weak self] in self?.toggleReveal() }
    on(.openLink) { [weak self] in self?.openOutside() }
    settings.didChange.add(self) { $0.update() }
    update()
  }

  override public func layout(in size: Size) -> Layout? {
    // A description that is long leaves the picture two thirds.
    .rows([.fixed(1): titleRule, .fill: picture, .fixed(min(max(1, size.rows / 3), descriptionRows(in: size))): text])
  }

  private func descriptionRows(in size: Size) -> Int {
    text.paragraphs.reduce(0) { $0 + TextLayout.wrap($1, columns: max(1, size.columns - 2 * text.margin)).count }
  }

  public var status: ScreenStatus {
    var status = ScreenStatus(
      state: FeedState(), isEmpty: false,
      hints: (qwink.attachments.count > 1 ? [.nextPicture] : []) + (qwink.isSensitive ? [.reveal] : [])
        + [.openLink, .back])
    status.progress = progress
    return status
  }

  public var selectedQwink: Qwink? { qwink }

  /// Tries again what failed.
  public func refresh() {
    shelf?.forgetFailures()
    shelf?.lookAway(self)
    update()
  }

  override public func viewDidAppear() { update() }

  override public func viewDidDisappear() { shelf?.lookAway(self) }

  override public func encodeRestorableState(with state: inout RestorableState) {
    state["index"] = index == 0 ? nil : "\(index)"
  }

  override public func decodeRestorableState(with state: RestorableState) {
    guard let kept = state["index"].flatMap({ Int($0) }), qwink.attachments.indices.contains(kept) else { return }
    index = kept
    update()
  }

  // MARK: Actions

  private var attachment: Attachment? {
    qwink.attachments.indices.contains(index) ? qwink.attachments[index] : nil
  }

  private func move(by step: Int) {
    guard qwink.attachments.indices.contains(index + step) else { return }
    index += step
    update()
  }

  private func toggleReveal() {
    isRevealed.toggle()
    update()
  }

  private func openOutside() {
    guard let address = attachment?.url.flatMap({ WebAddress(typed: $0) }) else { return }
    links.view(address)
  }

  // MARK: Showing

  /// Looks at the picture that is in front.
  private func update() {
    title = PictureWords.title(index, of: qwink.attachments.count)
    guard let attachment else { return }
    let kind = TextRun("\(AttachmentWords.word(attachment.kind)): ", StyleRole.dim)
    text.paragraphs = [[kind, TextRun(PictureWords.altText(of: attachment), .text)]]
    // Where nothing is shown, the address leads to it.
    text.linearParagraphs = text.paragraphs + (attachment.url.map { [[TextRun($0, .dim)]] } ?? [])
    show(attachment)
    navigator?.statusDidChange(of: self)
  }

  private func show(_ attachment: Attachment) {
    progress = nil
    guard let shelf, let means = PictureShelf.Means(view.window, settings.pictures, alone: true) else {
      shelf?.lookAway(self)
      return picture.show(nil, words: settings.pictures == .off ? PictureWords.off : PictureWords.notHere)
    }
    guard isRevealed else {
      shelf.lookAway(self)
      return picture.show(nil, words: PictureWords.sensitive)
    }
    // What moves has a still picture.
    let address = attachment.kind == .image ? attachment.url ?? attachment.previewURL : attachment.previewURL
    guard let address, isOnScreen, picture.frame.size.rows > 0 else { return picture.show(nil, words: "") }
    let wish = PictureWish(
      address: address, tag: .picture(index, of: qwink), order: means.order(room: picture.frame.size))
    shelf.look(at: [wish], for: self, isByKey: true) { [weak self] in self?.showState(of: wish) }
    showState(of: wish)
  }

  private func showState(of wish: PictureWish) {
    guard let shelf else { return }
    let state = shelf.state(of: wish)
    if case .loading(let fraction) = state { progress = PictureWords.loading(fraction) } else { progress = nil }
    switch state {
    case .none: picture.show(nil, words: "")
    case .loading(let fraction): picture.show(nil, words: PictureWords.loading(fraction))
    case .shown(let shown): picture.show(shown, words: "")
    case .failed(let reason): picture.show(nil, words: PictureWords.failed(reason))
    }
  }
}

/// A picture in the middle of a view, or words in its place.
@MainActor
final class PictureView: View {
  /// Called when there is another size to fill.
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
