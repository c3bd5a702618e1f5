import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// One qwink, whole, with what it answers above it and what answers it below, as a tree.
@MainActor
public final class ThreadViewController: ViewController, Screen {
  /// How long the selection must rest before what stands around it is fetched.
  private static let restTime = Duration.milliseconds(300)

  public weak var navigator: (any Navigator)?

  private let account: Account
  private let list = ListView()
  private var tree: ThreadTree?
  private var state = FeedState()
  private var fetch: Fetch?
  /// What fetches the qwink itself.
  private var qwinkFetch: Fetch?
  private var timer: ProgramTimer?
  private var hasThread = false

  /// An empty one; ``show(_:)`` fills it.
  public init(account: Account) {
    self.account = account
    super.init(view: list)
    title = "Thread"
    keyContext = .qwink
    list.keyContext = .list
    list.dataSource = self
    list.delegate = self
    list.performListActions()
    account.addObserver(self)
    on(.open, when: { [weak self] in self?.selectedQwink != nil }, perform: { [weak self] in self?.openSelected() })
    list.placeholder = MessageCell(paragraphs: [[TextRun("No qwink is selected.", .dim)]], row: 1)
  }

  /// The qwink that was opened; nil where there is none.
  public var qwink: Qwink? { tree.map { $0.nodes[$0.focusIndex].qwink } }

  public var selectedQwink: Qwink? {
    guard let tree, let index = list.selectedIndex, tree.nodes.indices.contains(index) else { return nil }
    return tree.nodes[index].qwink
  }

  public var status: ScreenStatus {
    ScreenStatus(
      state: state, isEmpty: false,
      hints: [.back] + account.possible([.reply, .boost, .favourite, .bookmark], on: selectedQwink))
  }

  /// Shows `qwink`. What stands around it follows when the selection rests, where it can be seen.
  public func show(_ qwink: Qwink?) {
    guard let qwink else {
      tree = nil
      forgetThread()
      return list.reloadData()
    }
    guard qwink.rowID != self.qwink?.rowID else {
      if qwink != self.qwink { take(qwink) }
      return loadSoon()
    }
    forgetThread()
    tree = ThreadTree(focus: qwink, thread: nil)
    updateFooter()
    list.select(nil, reveals: false)
    list.reloadData()
    list.select(0)
    loadSoon()
  }

  /// Fetches the qwink and what stands around it, at once.
  public func refresh() {
    guard let qwink else { return }
    let id = qwink.originalID
    qwinkFetch = account.fetch(.qwink(id)) { [weak self] result in
      self?.qwinkFetch = nil
      if case .success(let newer) = result, newer.originalID == id { self?.account.timelines.takeIn(newer) }
    }
    loadThread(of: qwink)
  }

  private func loadThread(of qwink: Qwink) {
    timer = nil
    state.isRefreshing = true
    state.error = nil
    updateFooter()
    tellStatus()
    fetch = account.fetch(.thread(qwink.originalID)) { [weak self] in self?.take($0) }
  }

  // MARK: Fetching

  override public func viewDidAppear() {
    loadSoon()
  }

  private func loadSoon() {
    guard qwink != nil, !hasThread, timer == nil, fetch == nil, isOnScreen else { return }
    timer = account.clock.schedule(after: Self.restTime) { [weak self] in
      guard let self else { return }
      timer = nil
      if let qwink, isOnScreen { loadThread(of: qwink) }
    }
  }

  private func forgetThread() {
    hasThread = false
    fetch = nil
    qwinkFetch = nil
    timer = nil
    state = FeedState()
  }

  private func take(_ result: Result<QwinkThread, DownloadError>) {
    fetch = nil
    state.isRefreshing = false
    // A failure counts as an answer: what stands around it is asked for again by R, not by itself.
    hasThread = true
    switch result {
    case .success(let thread):
      state.note(nil, at: account.clock.now)
      take(thread)
    case .failure(let error):
      state.note(error, at: account.clock.now)
      // Where it was given up, nobody knows who has answered either.
      state.error = error
    }
    updateFooter()
    tellStatus()
  }

  private func take(_ thread: QwinkThread) {
    guard let old = tree, let qwink else { return }
    let selected = selectedQwink?.rowID
    let new = ThreadTree(focus: qwink, thread: thread)
    tree = new
    // The qwink itself stays in sight when what it answers comes above it.
    list.performBatchUpdates {
      list.deleteItems(at: old.nodes.indices.filter { $0 != old.focusIndex })
      list.insertItems(at: 0..<new.focusIndex)
      list.insertItems(at: (new.focusIndex + 1)..<new.nodes.count)
    }
    list.reloadCells()
    if let selected, let index = new.nodes.firstIndex(where: { $0.qwink.rowID == selected }) {
      list.select(index, reveals: false)
    }
    navigator?.selectionDidChange(in: self)
  }

  private func take(_ qwink: Qwink) {
    guard tree?.update(by: qwink) ?? false else { return }
    list.reloadCells()
  }

  private func openSelected() {
    guard let selected = selectedQwink else { return }
    if selected.originalID == qwink?.originalID { return list.moveSelection(by: 1) }
    navigator?.show(.thread(selected))
  }

  // MARK: Words

  private func updateFooter() {
    guard let tree else { return list.footer = nil }
    var words: TextRun<StyleRole>?
    if state.isRefreshing {
      words = TextRun("Fetching the answers…", .dim)
    } else if let error = state.error {
      words = TextRun("\(error.summary) R tries again.", .error)
    } else if hasThread, tree.answersCount == 0 {
      words = TextRun("Nobody has answered yet.", .dim)
    }
    list.footer = words.map { MessageCell(paragraphs: [[$0]], row: 1) }
  }

  private func tellStatus() {
    navigator?.statusDidChange(of: self)
  }
}

extension ThreadViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { tree?.nodes.count ?? 0 }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    guard let tree, tree.nodes.indices.contains(index) else { return MessageCell(paragraphs: []) }
    let node = tree.nodes[index]
    let isRevealed = account.timelines.isRevealed(node.qwink)
    if index == tree.focusIndex {
      let whole = WholeQwink(qwink: node.qwink, isRevealed: isRevealed, zone: account.clock.timeZone)
      return WholeQwinkCell(whole.paragraphs + answersLine(tree))
    }
    return ThreadCell(
      QwinkCellData(node.qwink, isRevealed: isRevealed, now: account.clock.now, zone: account.clock.timeZone),
      depth: node.depth)
  }

  /// What is seen below the qwink, as a heading.
  private func answersLine(_ tree: ThreadTree) -> [[TextRun<StyleRole>]] {
    guard tree.answersCount > 0 else { return [] }
    return [[], [TextRun(tree.answersCount == 1 ? "1 answer" : "\(tree.answersCount) answers", .accent)]]
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    navigator?.selectionDidChange(in: self)
  }
}

extension ThreadViewController: AccountObserver {
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    if tree?.replace(id, by: qwink) ?? false { list.reloadCells() }
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    take(qwink)
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    guard let tree, tree.nodes.contains(where: { $0.qwink.originalID == id }) else { return }
    guard let qwink, qwink.originalID != id else { return show(nil) }
    let rest = tree.nodes.filter { $0.qwink.originalID != id }.map(\.qwink)
    let split = rest.firstIndex { $0.rowID == qwink.rowID } ?? 0
    take(QwinkThread(ancestors: Array(rest[..<split]), descendants: Array(rest[(split + 1)...])))
    updateFooter()
  }

  public func posts(_ posts: Posts, didPost posted: Qwink, from entry: Entry) {
    guard let tree, let parent = posted.inReplyTo, tree.nodes.contains(where: { $0.qwink.originalID == parent })
    else { return }
    let others = tree.nodes.map(\.qwink)
    let split = tree.focusIndex
    take(QwinkThread(ancestors: Array(others[..<split]), descendants: Array(others[(split + 1)...]) + [posted]))
    updateFooter()
  }
}
