import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
public import Terminal
import Timekeeping

/// The edit history of a qwink.
@MainActor
public final class VersionsViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  private let qwink: Qwink
  private let account: Account
  public let titleRule = RuleView()
  private let textView = TextView()
  private var state = FeedState()
  private var history = EditHistory()
  private var fetch: Fetch?
  /// The row that was first in view when the program last quit.
  private var restoredRow: Int?

  public init(qwink: Qwink, account: Account) {
    self.qwink = qwink
    self.account = account
    super.init()
    for subview in [titleRule, textView] { view.addSubview(subview) }
    preferredFirstResponder = textView
    title = VersionWords.title
    keyContext = .qwink
    textView.keyContext = .list
    account.addObserver(self)
    // The reveal key is needed here too, because an older version may have a warning that the qwink no longer has.
    on(.reveal, when: { [weak self] in self?.cover != nil }) {
      account.timelines.toggleReveal(qwink)
    }
    updateText()
  }

  override public func layout(in size: Size) -> Layout? { .rows([.fixed(1): titleRule, .fill: textView]) }

  public var status: ScreenStatus { ScreenStatus(state: state, isEmpty: history.versions.isEmpty, hints: [.back]) }

  public var selectedQwink: Qwink? { qwink }

  override public func updateProperties() {
    guard !view.frame.isEmpty else { return }
    showText()
  }

  override public func viewDidAppear() {
    refresh()
  }

  override public func encodeRestorableState(with state: inout RestorableState) {
    let row = restoredRow ?? textView.firstRow
    state["row"] = row == 0 ? nil : "\(row)"
  }

  override public func decodeRestorableState(with state: RestorableState) {
    restoredRow = state["row"].flatMap { Int($0) }
  }

  public func refresh() {
    guard !state.isRefreshing else { return }
    state.isRefreshing = true
    state.wasCancelled = false
    fetch = account.connection.fetch(.versions(qwink.originalID), needing: AbilityNeed(.editHistory, of: qwink)) {
      [weak self] in self?.take($0)
    }
    updateText()
  }

  private func take(_ result: Result<[QwinkVersion], DownloadError>) {
    switch result {
    case .success(let versions):
      account.connection.task("comparing versions") { [weak self] in
        let history = await EditHistory.comparing(versions)
        self?.show(history)
      }
    case .failure(let error):
      state.isRefreshing = false
      state.note(error, at: account.clock.now)
      updateText()
    }
  }

  private func show(_ new: EditHistory) {
    state.isRefreshing = false
    state.note(nil, at: account.clock.now)
    history = new
    updateText()
    if let restoredRow { textView.scroll(to: restoredRow) }
    restoredRow = nil
  }

  private func updateText() {
    showText()
    navigator?.statusDidChange(of: self)
  }

  private func showText() {
    textView.paragraphs =
      history.versions.isEmpty
      ? [[]]
        + (PlaceholderWords.state(state, fetching: VersionWords.fetching)
          ?? PlaceholderWords.nothing(VersionWords.none, PlaceholderWords.goesBack))
      : VersionWords.paragraphs(
        history, of: qwink, under: account.timelines.isRevealed(qwink) ? nil : cover, zone: account.timeZone,
        columns: max(1, view.frame.size.columns - 2 * textView.margin))
  }

  /// The notice that covers all versions until the reader reveals them, or nil if no version is covered.
  private var cover: Disclosure.Cover? { account.cover(of: history.versions, of: qwink) }
}

extension VersionsViewController: AccountObserver {
  public func timelines(_ timelines: Timelines, didChange changed: Qwink) {
    if changed.originalID == qwink.originalID { showText() }
  }

  public func accountFilterDidExpire() { showText() }
}
