import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleConfig
public import QwinkleModel
import QwinkleStore
import Terminal
import Timekeeping

/// The cached qwinks that match the rule of a view, newest first. Users define views in the configuration.
@MainActor
public final class SavedSearchViewController: CachedQwinksViewController {
  /// The shown view, or nil if the configuration defines no views.
  private(set) var ownView: OwnView?

  /// Whether the qwinks that the user's rules hide are shown until the reader hides them again.
  private var isLifted = false
  /// The qwinks that the user's rules have left out.
  private var hidden: Set<Qwink.ID> = []
  /// The user's rules at the last search.
  private var hidingRules = HiddenQwinks()

  public init(
    _ ownView: OwnView?, account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.ownView = ownView
    super.init(title: SavedSearchWords.title(of: ownView), account: account, settings: settings, shelf: shelf)
    settings.didChange.add(self) { $0.takeRule() }
    on(.showHidden) { [weak self] in self?.toggleHidden() }
  }

  override var placeholder: PlaceholderWords.Lines {
    ownView == nil ? [[TextRun(SavedSearchWords.noViews, .text)]] : super.placeholder
  }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(
      page.isWhole ? SavedSearchWords.nothing : SavedSearchWords.nothingYet, SavedSearchWords.fetches)
      + [[], [TextRun(ownView?.text ?? "", .dim)]]
  }

  // MARK: Searching

  override var rule: ViewRule? { ownView?.rule }

  override public func viewDidAppear() {
    takeRule()
    super.viewDidAppear()
  }

  /// Refreshes the home and public timelines, and searches the cache again at once. Matching qwinks that the timelines
  /// receive are added to the list.
  override public func refresh() {
    // Don't fetch a public timeline that was never opened, because it can be very busy on a large server.
    let timelines: [TimelineName] = account.isSignedIn ? [.home, .public] : [.public]
    for name in timelines where name == timelines[0] || !account.timelines.timeline(name).rows.isEmpty {
      account.timelines.refresh(name)
    }
    super.refresh()
  }

  /// Adopts the rules of a reloaded configuration that have changed.
  private func takeRule() {
    if settings.hideRules != hidingRules.rules, state.refreshedAt != nil { searchAgain() }
    guard let ownView, let new = views.first(where: { $0.name == ownView.name }), new != ownView else { return }
    show(new)
  }

  private var views: [OwnView] { settings.desk?.views ?? [] }

  /// Shows the user's next view. The last view is followed by the first.
  func showNext() {
    let index = views.firstIndex { $0.name == ownView?.name }
    guard let new = index.map({ views[($0 + 1) % views.count] }) ?? views.first, new != ownView else { return }
    show(new)
    navigator?.selectionDidChange(in: self)
  }

  private func show(_ new: OwnView) {
    let isOther = new.name != ownView?.name
    ownView = new
    title = SavedSearchWords.title(of: new)
    if isOther { clear() }
    searchAgain()
  }

  override public func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    state["view"] = ownView?.name
  }

  override public func decodeRestorableState(with state: RestorableState) {
    if let view = views.first(where: { $0.name == state["view"] }) { show(view) }
    super.decodeRestorableState(with: state)
  }

  override func look(isLast: Bool = false) {
    hidden = []
    hidingRules = HiddenQwinks(rules: settings.hideRules)
    super.look(isLast: isLast)
  }

  override public func accountFilterDidExpire() {
    super.accountFilterDidExpire()
    // The rows that the filter hid are no longer in the list, but only in the cache.
    searchAgain()
  }

  // MARK: Hiding

  private func toggleHidden() {
    guard !settings.hideRules.isEmpty else { return navigator?.say(HidingWords.noRules, .dim) ?? () }
    let count = hidden.count
    isLifted.toggle()
    look()
    navigator?.say(isLifted ? HidingWords.lifted(count) : HidingWords.hiddenAgain, .text)
  }

  override public var hidingWords: String? {
    isLifted ? HidingWords.isLifted : hidden.isEmpty ? nil : HidingWords.count(hidden.count)
  }

  /// Returns the qwinks that nothing hides, and records the ones that the user's rules hide.
  override func shown(_ qwinks: [Qwink]) -> [Qwink] {
    let me = account.identity.me?.id
    return super.shown(qwinks).filter { qwink in
      guard !isLifted, hidingRules.contains(qwink, me: me) else { return true }
      hidden.insert(qwink.originalID)
      return false
    }
  }

  // MARK: Arriving

  override public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    guard state.refreshedAt != nil, cause != .cache, cause != .older else { return }
    let all = timelines.timeline(name).rows
    take(change.inserted.flatMap { all[$0.clamped(to: all.indices)] }.compactMap(\.qwink))
  }

  /// Adds new qwinks if they match the rule. A search can't find them until they are indexed.
  private func take(_ new: [Qwink]) {
    guard let rule else { return }
    let known = Set(allRows.map(\.originalID))
    let fitting = shown(new).filter { !known.contains($0.originalID) && rule.matches($0) }
    guard !fitting.isEmpty else { return }
    var rows = allRows
    var ids = known
    for qwink in fitting where ids.insert(qwink.originalID).inserted {
      let index = rows.firstIndex { $0.createdAt < qwink.createdAt } ?? rows.count
      // Skip a qwink that is older than all rows, because it will be loaded with its page.
      if index < rows.count || state.isComplete { rows.insert(qwink, at: index) }
    }
    showKeepingSelection(rows, followsTop: false)
  }
}
