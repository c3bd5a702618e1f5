import FoundationEssentials
public import PaneKit
public import QwinkleModel
public import QwinkleService
public import QwinkleStore
import Terminal
import Timekeeping

/// The screen: the sections, one of them shown, a header that says where one is and a bar that says how it goes.
@MainActor
public final class MainViewController: ViewController {
  /// A timeline with the pane beside it.
  private struct Section {
    let name: TimelineName
    let timeline: TimelineViewController
    let split: SplitViewController
    let detail: QwinkDetailViewController
  }

  private static let progressDelay = Duration.milliseconds(250)
  private static let noticeTime = Duration.seconds(6)
  private static let announcementTime = Duration.seconds(60)

  private let feed: QwinkFeed
  private let drafts: DraftFile?
  private let accountWords: String
  private let keymap: Keymap
  private let sections: [Section]
  private var current = 0

  private let header = BarView()
  private let progress: ProgressView
  private let upperRule = RuleView()
  private let lowerRule = RuleView()
  private let content = View()
  private let status = BarView()
  private var statusRows = 1

  private var notice: BarView.Item?
  private var noticeTimer: ProgramTimer?
  private var progressTimer: ProgramTimer?
  private var mayQuitByInterrupt = false
  private weak var openEntry: EntryViewController?

  /// The screen of one account. `accountWords` says who and where, `mara@tilde.example`. Without an account, home is left out.
  public init(
    feed: QwinkFeed, drafts: DraftFile?, accountWords: String, keymap: Keymap, startingAt start: TimelineName = .public
  ) {
    self.feed = feed
    self.drafts = drafts
    self.accountWords = accountWords
    self.keymap = keymap
    self.progress = ProgressView(clock: feed.clock)
    let names: [TimelineName] = feed.isSignedIn ? [.public, .home] : [.public]
    sections = names.map { name in
      let timeline = TimelineViewController(name: name, feed: feed)
      let detail = QwinkDetailViewController(feed: feed)
      return Section(
        name: name, timeline: timeline, split: SplitViewController(primary: timeline, secondary: detail), detail: detail
      )
    }
    super.init()
    keyContext = .global
    restorationIdentifier = "main"
    for subview in [header, upperRule, content, lowerRule, status, progress] { view.addSubview(subview) }
    view.layout = { [weak self] size in self?.arrange(in: size) }
    content.layout = { [weak self] size in
      self?.section.split.view.frame = Rect(origin: .zero, size: size)
    }
    for section in sections {
      section.timeline.delegate = self
      section.detail.show(section.timeline.selectedQwink, isRevealed: false)
    }
    feed.addObserver(self)
    registerActions()
    traitsDidChange = { [weak self] _ in self?.updateBars() }
    didAppear = { [weak self] in self?.feed.identify() }
    encodeState = { [weak self] in self?.currentState ?? [:] }
    restoreState = { [weak self] in self?.takeUp($0) }
    show(sections.firstIndex { $0.name == start } ?? 0)
  }

  private var section: Section { sections[current] }

  // MARK: State

  private var currentState: [String: String] {
    var state = ["section": section.name.key]
    for section in sections { state["place \(section.name.key)"] = section.timeline.place }
    return state
  }

  private func takeUp(_ state: [String: String]) {
    for section in sections {
      if let place = state["place \(section.name.key)"] { section.timeline.goTo(place: place) }
    }
    if let index = sections.firstIndex(where: { $0.name.key == state["section"] }), index != current { show(index) }
  }

  // MARK: Actions

  private func registerActions() {
    on(.sectionPublic) { [weak self] in self?.go(to: .public) }
    on(.sectionHome) { [weak self] in self?.go(to: .home) }
    on(.compose) { [weak self] in self?.compose() }
    on(.back) { [weak self] in self?.goBack() }
    on(.reveal) { [weak self] in self?.section.timeline.toggleReveal() }
    on(.refresh) { [weak self] in self?.section.timeline.refresh() }
    on(.nextPane) { [weak self] in self?.moveToPane(secondary: true) }
    on(.previousPane) { [weak self] in self?.moveToPane(secondary: false) }
  }

  private func go(to name: TimelineName) {
    guard let index = sections.firstIndex(where: { $0.name == name }) else {
      return say("Home needs an account: start qwinkle with --token-stdin or QWINKLE_TOKEN_COMMAND.", .warning)
    }
    show(index)
  }

  private func show(_ index: Int) {
    if !children.isEmpty, index == current {
      section.split.showPrimary()
      return updateBars()
    }
    children.first?.removeFromParent()
    current = index
    addChild(section.split, in: content)
    content.setNeedsLayout()
    let front: ViewController = section.split.showsSecondary ? section.detail : section.timeline
    preferredFirstResponder = front.initialFirstResponder
    window?.firstResponder = preferredFirstResponder
    updateBars()
  }

  private func compose() {
    guard feed.isSignedIn else {
      return say("Writing needs an account: start qwinkle with --token-stdin or QWINKLE_TOKEN_COMMAND.", .warning)
    }
    let entry = EntryViewController(feed: feed, drafts: drafts, keymap: keymap)
    openEntry = entry
    present(entry)
  }

  /// Shows the keys.
  public func showHelp() {
    present(HelpViewController(keymap: keymap))
  }

  private func goBack() {
    if section.split.showsSecondary || window?.firstResponder === section.detail.initialFirstResponder {
      section.split.showPrimary()
      updateBars()
      return
    }
    askToQuit()
  }

  private func askToQuit() {
    present(
      ConfirmViewController(
        question: feed.isPosting ? "A qwink is still on its way. Quit all the same?" : "Quit Qwinkle?", again: "q"
      ) { [weak self] in _ = self?.perform(.quit) })
  }

  private func moveToPane(secondary: Bool) {
    guard section.split.isSideBySide else { return }
    if secondary { section.split.showSecondary() } else { section.split.showPrimary() }
    updateBars()
  }

  /// The first time gives up what is under way, a second time soon after quits.
  public func interrupt() {
    if mayQuitByInterrupt {
      perform(.quit)
      return
    }
    mayQuitByInterrupt = true
    feed.cancelDownloads()
    say("^C again quits.", .strong)
    // Under a sheet nobody sees the status bar.
    if let sheet = window?.topSheet, !(sheet is ConfirmViewController) { askToQuit() }
  }

  // MARK: Words

  /// Tells the reader something about the program itself.
  public func announce(_ text: String) {
    say(text, .warning, for: Self.announcementTime)
  }

  /// Says something in the status bar for a while.
  private func say(_ text: String, _ role: StyleRole, for time: Duration = noticeTime) {
    notice = BarView.Item(text, role, priority: 110)
    noticeTimer = feed.clock.schedule(after: time) { [weak self] in
      self?.notice = nil
      self?.mayQuitByInterrupt = false
      self?.updateBars()
    }
    updateBars()
  }

  private func updateBars() {
    let zone = feed.clock.timeZone
    let state = section.timeline.state
    let isCompact = SizeClass(columns: view.frame.size.columns) == .compact
    header.leading = sectionItems(isCompact: isCompact)
    header.trailing = [
      .init(whoAndWhere, .dim, priority: 3), .init(feed.isSignedIn ? "" : "signed out", .warning, priority: 6),
      StatusWords.connection(of: state, zone: zone),
    ]
    let words = StatusWords.state(
      of: state, isEmpty: section.timeline.isEmpty, newCount: section.timeline.newCount,
      nextAttempt: section.timeline.nextAttempt, zone: zone)
    status.leading = [notice ?? words].compactMap { $0 }
    fitStatus()
    status.trailing = StatusWords.hints(keymap: keymap, actions: hintedActions(isCompact: isCompact))
    showProgress(state.isRefreshing || state.isLoadingMore)
  }

  /// What a beginner should know of here, most useful first.
  private func hintedActions(isCompact: Bool) -> [Action] {
    let isReading = isReadingDetail
    if isCompact { return isReading ? [.back, .help] : [.help] }
    let writing: [Action] = feed.isSignedIn ? [.compose] : []
    return (isReading ? [.back, .listNext] : [.listNext, .open]) + writing + (isReading ? [] : [.refresh]) + [.help]
  }

  /// Whether the keys go to the detail.
  private var isReadingDetail: Bool {
    section.split.isSideBySide
      ? window?.firstResponder === section.detail.initialFirstResponder : section.split.showsSecondary
  }

  /// `mara@tilde.example`, once the server has said who I am.
  private var whoAndWhere: String {
    guard let me = feed.me, !accountWords.contains("@") else { return accountWords }
    return "\(me.userName)@\(accountWords)"
  }

  /// What the status bar has to say is never cut where there is room for more rows of it.
  private func fitStatus() {
    let size = view.frame.size
    let rows =
      status.leading.isEmpty || size.rows < 8 ? 1 : status.rows(forColumns: size.columns, limit: min(3, size.rows / 4))
    guard rows != statusRows else { return }
    statusRows = rows
    view.setNeedsLayout()
  }

  private func sectionItems(isCompact: Bool) -> [BarView.Item] {
    if isCompact {
      return [.init("\(current + 1) \(section.timeline.title)", .strong, priority: 90)]
    }
    var items = [BarView.Item("Qwinkle", .accent, priority: 1)]
    for (index, section) in sections.enumerated() {
      let isCurrent = index == current
      items.append(
        .init("\(index + 1) \(section.timeline.title)", isCurrent ? .strong : .dim, priority: isCurrent ? 90 : 10))
    }
    return items
  }

  /// A turning mark appears when something takes longer than a moment.
  private func showProgress(_ isBusy: Bool) {
    guard isBusy else {
      progressTimer = nil
      progress.progress = .idle
      return
    }
    guard progressTimer == nil else { return }
    progressTimer = feed.clock.schedule(after: Self.progressDelay) { [weak self] in
      self?.progress.progress = .indeterminate
    }
  }

  private func arrange(in size: Size) {
    let isTall = size.rows >= 6
    let top = isTall ? 2 : 0
    let bottom = isTall ? 1 + statusRows : min(1, size.rows)
    header.frame = Rect(row: 0, column: 0, rows: isTall ? 1 : 0, columns: size.columns)
    progress.frame = Rect(row: 0, column: 0, rows: isTall ? 1 : 0, columns: 1)
    upperRule.frame = Rect(row: 1, column: 0, rows: isTall ? 1 : 0, columns: size.columns)
    content.frame = Rect(row: top, column: 0, rows: max(0, size.rows - top - bottom), columns: size.columns)
    lowerRule.frame = Rect(row: size.rows - bottom, column: 0, rows: isTall ? 1 : 0, columns: size.columns)
    let lowest = isTall ? statusRows : bottom
    status.frame = Rect(row: size.rows - lowest, column: 0, rows: lowest, columns: size.columns)
    updateBars()
  }
}

extension MainViewController: TimelineViewControllerDelegate {
  public func timeline(_ controller: TimelineViewController, didSelect qwink: Qwink?) {
    guard controller === section.timeline else { return }
    section.detail.show(qwink, isRevealed: qwink.map(controller.isRevealed) ?? false)
  }

  public func timeline(_ controller: TimelineViewController, didOpen qwink: Qwink) {
    section.split.showSecondary()
    section.detail.view.isHidden = false
    section.detail.show(qwink, isRevealed: controller.isRevealed(qwink))
    updateBars()
  }

  public func timelineDidChangeStatus(_ controller: TimelineViewController) {
    guard controller === section.timeline else { return }
    updateBars()
  }
}

extension MainViewController: QwinkFeedObserver {
  public func feedDidIdentify(_ feed: QwinkFeed) {
    updateBars()
  }

  public func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry) {
    if drafts?.load()?.idempotencyKey == entry.idempotencyKey { try? drafts?.save(nil) }
    say("Posted.", .new)
  }

  public func feed(_ feed: QwinkFeed, didFailToPost entry: Entry, with error: DownloadError) {
    guard openEntry == nil else { return }
    say("\(error.sentenceForPost) c opens it again.", .error)
  }
}
