import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// What a qwink said at each time, and what was changed.
@MainActor
public final class VersionsViewController: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  private let qwink: Qwink
  private let account: Account
  private let textView = TextView()
  private var state = FeedState()
  private var versions: [QwinkVersion] = []
  private var fetch: Fetch?

  public init(qwink: Qwink, account: Account) {
    self.qwink = qwink
    self.account = account
    super.init(view: textView)
    title = "Edits"
    keyContext = .qwink
    textView.keyContext = .list
    updateText()
  }

  public var status: ScreenStatus { ScreenStatus(state: state, isEmpty: versions.isEmpty, hints: [.back]) }

  public var selectedQwink: Qwink? { qwink }

  override public func viewDidAppear() {
    refresh()
  }

  public func refresh() {
    guard !state.isRefreshing else { return }
    state.isRefreshing = true
    state.wasCancelled = false
    fetch = account.fetch(.versions(qwink.originalID)) { [weak self] in self?.take($0) }
    updateText()
  }

  private func take(_ result: Result<[QwinkVersion], DownloadError>) {
    state.isRefreshing = false
    switch result {
    case .success(let versions):
      state.note(nil, at: account.clock.now)
      self.versions = versions
    case .failure(let error): state.note(error, at: account.clock.now)
    }
    updateText()
  }

  private func updateText() {
    textView.paragraphs =
      versions.isEmpty
      ? [[]]
        + (PlaceholderWords.state(state, fetching: "Fetching what it said before…")
          ?? PlaceholderWords.nothing("The server keeps no earlier versions of it.", ("q", "goes back")))
      : VersionWords.paragraphs(versions, of: qwink, zone: account.clock.timeZone)
    navigator?.statusDidChange(of: self)
  }
}
