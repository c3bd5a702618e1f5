import FoundationEssentials
import OnDemandResources
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import QwinkleService
import Terminal
import Timekeeping

/// A qwink in full, with its ancestors above and its replies below, as a tree.
@MainActor
public final class ThreadViewController: ListViewController<ThreadTree.Node> {
  /// Time that the selection must stay the same before the thread is fetched.
  private static let restTime = Duration.milliseconds(300)

  let account: Account
  /// Opens links, for example in the browser.
  let links: LinkActions?
  var tree: ThreadTree?
  /// The thread from the account's server or the cache, without replies that only the author's server has.
  var thread: QwinkThread?
  /// The thread fetched from the server of the opened qwink's author, if any.
  var foreign: ForeignThread?
  var foreignFetch: Fetch?
  /// The server's search for more replies, until it ends or the thread leaves the screen.
  var arriving: AsyncRefreshWatch?
  var arrivingFetch: Fetch?
  /// The search to watch when the screen is visible again.
  var pausedRefresh: AsyncRefresh?
  /// The qwinks with folded replies, and the number of replies that each hides.
  var folded: Set<Qwink.ID> = []
  var hiddenCounts: [Qwink.ID: Int] = [:]
  /// The request for the thread, and the request for the opened qwink.
  private var download: DownloadIdentifier?
  private var qwinkDownload: DownloadIdentifier?
  private var timer: ProgramTimer?
  private(set) var hasThread = false
  /// The qwink that was open when the restored position was saved.
  private var restoredQwink: Qwink.ID?

  /// Creates an empty thread, for use with ``show(_:)``.
  public init(
    account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil,
    links: LinkActions? = nil
  ) {
    self.account = account
    self.links = links
    super.init(title: ThreadWords.title)
    showPictures(shelf, account: account, settings: settings, hasDensity: false)
    // Distinguishes the thread from the list in the same pane.
    restorationIdentifier = "thread"
    account.addObserver(self)
    registerBranches()
  }

  /// Whether the thread contains a qwink.
  func shows(_ id: Qwink.ID) -> Bool { tree?.nodes.contains { $0.qwink.originalID == id } ?? false }

  /// The opened qwink, if any.
  public var qwink: Qwink? { tree.map { $0.nodes[$0.focusIndex].qwink } }

  override var canBeLimited: Bool { false }
  override var hasOlderRows: Bool { false }

  override public var selectedQwink: Qwink? { isElsewhereSelected ? nil : selectedRow?.qwink }
  override public var refusalWords: String? {
    isElsewhereSelected ? foreign.map { ThreadWords.cannotAct($0.host) } : nil
  }

  override var isAtUsualPlace: Bool { rows.count < 2 }

  override func placeKey(of row: ThreadTree.Node) -> String? { row.qwink.originalID.rawValue }

  override public func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    state["of"] = (restoredQwink ?? qwink?.id)?.rawValue
  }

  override public func decodeRestorableState(with state: RestorableState) {
    super.decodeRestorableState(with: state)
    restoredQwink = state["of"].map { Qwink.ID($0) }
    // In a pane, the qwink is shown before the state is restored.
    if qwink != nil, qwink?.id != restoredQwink { waitingPlace = nil }
    if qwink != nil { restoredQwink = nil }
  }

  override public var status: ScreenStatus {
    ScreenStatus(
      state: state, isEmpty: false,
      hints: [.back] + account.possible(QwinkCommand.contentHints, on: selectedQwink)
        + (canFetchRest ? [.threadRest] : []) + account.possible(QwinkCommand.threadHints, on: selectedQwink))
  }

  /// Shows `qwink`. If the screen is visible, fetches the thread after the selection has stayed the same for a moment.
  public func show(_ qwink: Qwink?) {
    guard qwink == nil || qwink?.rowID != self.qwink?.rowID else {
      if let qwink, qwink != self.qwink { take(qwink) }
      return loadSoon()
    }
    forgetThread()
    if qwink?.id != restoredQwink { waitingPlace = nil }
    restoredQwink = nil
    tree = qwink.map { ThreadTree(focus: $0, thread: nil) }
    reload(shownNodes())
    loadSoon()
  }

  /// Fetches the qwink and its thread at once.
  override public func refresh() {
    guard let qwink else { return }
    super.refresh()
    let former = qwinkDownload
    qwinkDownload = account.start(.qwink(qwink.originalID), delegate: self)
    cancel(former)
    loadThread(of: qwink)
  }

  private func loadThread(of qwink: Qwink) {
    timer = nil
    ownState.isRefreshing = true
    ownState.error = nil
    updateWords()
    let former = download
    download = account.start(.thread(qwink.originalID), delegate: self)
    cancel(former)
  }

  /// Cancels a download that has been replaced or isn't needed any more.
  private func cancel(_ former: DownloadIdentifier?) {
    if let former { account.cancel(former) }
  }

  // MARK: Fetching

  override public func viewDidAppear() {
    super.viewDidAppear()
    loadSoon()
    if let pausedRefresh { watchReplies(pausedRefresh) }
  }

  override public func viewDidDisappear() {
    super.viewDidDisappear()
    pauseWatching()
  }

  private func loadSoon() {
    guard qwink != nil, !hasThread, timer == nil, download == nil, isOnScreen else { return }
    timer = account.clock.schedule(after: Self.restTime) { [weak self] in
      guard let self else { return }
      timer = nil
      if let qwink, isOnScreen { loadThread(of: qwink) }
    }
  }

  private func forgetThread() {
    hasThread = false
    thread = nil
    foreign = nil
    foreignFetch = nil
    watchReplies(nil)
    folded = []
    hiddenCounts = [:]
    let former = [download, qwinkDownload]
    (download, qwinkDownload) = (nil, nil)
    former.forEach(cancel)
    timer = nil
    ownState = FeedState()
  }

  private func didFetch(_ thread: QwinkThread) {
    didEndFetch()
    ownState.note(nil, at: account.clock.now)
    take(thread)
    if let qwink { account.timelines.keep(thread, of: qwink) }
    watchReplies(thread.refresh)
    updateWords()
  }

  private func didFail(_ error: DownloadError) {
    didEndFetch()
    ownState.note(error, at: account.clock.now)
    // Report a cancelled request as an error too, because the replies are still unknown.
    ownState.error = error
    showKnown()
    updateWords()
  }

  private func didEndFetch() {
    download = nil
    ownState.isRefreshing = false
    // A failure counts too, so that only R fetches the thread again.
    hasThread = true
  }

  /// Shows the cached part of a thread that couldn't be fetched.
  private func showKnown() {
    guard let qwink, tree?.nodes.count == 1 else { return }
    account.timelines.findThread(of: qwink) { [weak self] known in
      guard let self, self.qwink?.rowID == qwink.rowID, tree?.nodes.count == 1 else { return }
      guard !known.ancestors.isEmpty || !known.descendants.isEmpty else { return }
      take(known)
    }
  }

  func take(_ thread: QwinkThread) {
    guard let qwink else { return }
    self.thread = thread
    var (shown, elsewhere) = foreign.map { thread.joined(with: $0, around: qwink) } ?? (thread, [])
    shown.descendants.removeAll { account.follows.hides($0) }
    // The account's server leaves out ancestors by blocked users. The author's server doesn't know about these blocks.
    shown.ancestors.removeAll { elsewhere.contains($0.originalID) && account.follows.hides($0) }
    tree = ThreadTree(focus: qwink, thread: shown, elsewhere: elsewhere)
    showKeepingSelection(shownNodes())
    list.reloadCells()
    navigator?.selectionDidChange(in: self)
  }

  private func take(_ qwink: Qwink) {
    thread?.update { $0.updated(by: qwink) }
    if tree?.update(by: qwink) ?? false { showNodes() }
  }

  /// Updates the nodes without changing their order.
  private func showNodes() {
    show(shownNodes(), after: ListChange())
    list.reloadCells()
  }

  override func open(_ row: ThreadTree.Node) {
    if row.isElsewhere { return openElsewhere(row.qwink) }
    if row.qwink.originalID == qwink?.originalID { return list.moveSelection(by: 1) }
    navigator?.show(.thread(row.qwink))
  }

  // MARK: Words

  override var placeholder: PlaceholderWords.Lines { [[TextRun(ThreadWords.nothingSelected, .dim)]] }
  override var placeholderRow: Int? { 1 }

  override var footer: [TextRun<StyleRole>] {
    if state.isRefreshing { return [TextRun(ThreadWords.fetching, .dim)] }
    if let error = state.error { return ThreadWords.failed(error, isPartial: rows.count > 1) }
    if foreignFetch != nil, let host = authorHost { return [TextRun(ThreadWords.asking(host), .dim)] }
    if let arrivingFooter { return arrivingFooter }
    if canFetchRest, let tree, let host = authorHost {
      return [TextRun(ThreadWords.more(tree.missingReplies, on: host), .accent)]
    }
    return hasThread && tree?.repliesCount == 0 ? [TextRun(ThreadWords.noReplies, .dim)] : []
  }

  override func findableText(ofRowAt index: Int) -> String {
    account.findableText(of: rows[index].qwink, in: filterPlace)
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    guard let tree else { return super.cell(forRowAt: index) }
    let node = rows[index]
    if index == tree.focusIndex {
      let translated = account.translations.translated(node.qwink)
      let shown = translated?.qwink ?? node.qwink
      let facts = QwinkDescription(
        of: shown, cover: account.disclosure(of: shown, in: filterPlace).cover,
        quote: account.quoteDisclosure(of: shown, in: filterPlace), translation: translated?.translation,
        at: account.clock.now)
      let whole = WholeQwink(
        facts, isRevealed: account.timelines.isRevealed(node.qwink), hasDraft: account.drafts.hasReply(to: node.qwink),
        zone: account.timeZone)
      let replies = tree.repliesCount > 0 ? TextRun(ThreadWords.replies(tree.repliesCount), StyleRole.dim) : nil
      return WholeQwinkCell(
        whole, replies: replies, note: note(of: node), pictures: pictures?.cell(of: node.qwink, isWhole: true))
    }
    return ThreadCell(
      account.cellData(of: node.qwink, in: filterPlace), node: node, pictures: pictures?.cell(of: node.qwink),
      note: note(of: node))
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? {
    let node = rows[index]
    let columns = list.frame.size.columns
    let isWhole = index == tree?.focusIndex
    let indent = isWhole ? 0 : ThreadCell.indent(columns, depth: node.depth)
    let textColumns = QwinkCellLayout.textColumns(forColumns: columns - indent, indent: indent)
    return .qwink(node.qwink, textColumns: textColumns, isWhole: isWhole)
  }

  override var filterPlace: FilterPlace? { .thread }

  override var pageTag: ResourceTag? { qwink.map { .thread(of: $0) } }

  override var resourceOwner: String { qwink.map { ResourceWords.thread(by: $0.original.author) } ?? title }
}

extension ThreadViewController: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    switch answer {
    case let thread as QwinkThread where identifier == download: didFetch(thread)
    case let newer as Qwink where identifier == qwinkDownload:
      if newer.originalID == qwink?.originalID { account.timelines.merge(newer) }
    default: break
    }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if identifier == download { didFail(error) }
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    if identifier == qwinkDownload { qwinkDownload = nil }
    if identifier == download { didFail(.cancelled) }
  }
}

extension ThreadViewController: AccountObserver {
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    thread?.update { $0.replaced(id, by: qwink) }
    if tree?.replace(id, by: qwink) ?? false { showNodes() }
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    take(qwink)
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    for quoting in (tree?.nodes ?? []).compactMap({ $0.qwink.withholdingQuote(of: id) }) { take(quoting) }
    guard let tree, tree.nodes.contains(where: { $0.qwink.originalID == id }) else { return }
    guard let qwink, qwink.originalID != id else { return show(nil) }
    let rest = tree.nodes.filter { $0.qwink.originalID != id && !$0.isElsewhere }.map(\.qwink)
    let split = rest.firstIndex { $0.rowID == qwink.rowID } ?? 0
    take(QwinkThread(ancestors: Array(rest[..<split]), descendants: Array(rest[(split + 1)...])))
  }

  public func followsDidChangeHidden(_ follows: Follows) {
    guard let thread else { return }
    take(thread)
  }

  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { qwinks.contains($0.qwink.originalID) }
  }

  public func posts(_ posts: Posts, didPost posted: Qwink, from entry: Entry) {
    guard let tree, let parent = posted.inReplyTo, tree.nodes.contains(where: { $0.qwink.originalID == parent })
    else { return }
    let others = tree.nodes.filter { !$0.isElsewhere }.map(\.qwink)
    let split = others.firstIndex { $0.rowID == qwink?.rowID } ?? 0
    take(QwinkThread(ancestors: Array(others[..<split]), descendants: Array(others[(split + 1)...]) + [posted]))
  }
}
