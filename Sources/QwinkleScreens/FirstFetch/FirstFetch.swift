import OnDemandResources
import PaneKit
import QwinkleAccount
import QwinkleModel

/// Fetches the sections in advance at the first start on an account, in the order of ``PrefetchOrder``. Yields to all
/// other requests: a step begins only while no request is in progress, and the avatars pause when one begins. It needs
/// no timer, so an idle program isn't woken.
@MainActor
final class FirstFetch {
  /// The reason for the end.
  enum End: Hashable {
    case done, offline, cancelled, metered
  }

  /// Avatars that are fetched at the same time. Visible pictures have a higher priority.
  private static let mostAvatarsAtOnce = 4
  private static let loadingPriority = 0.05

  private let account: Account
  private let settings: ReaderSettings
  private let shelf: PictureShelf?
  private let unread: UnreadCounts
  private let log: @MainActor (String) -> Void
  private weak var screen: MainViewController?
  private let first: Section
  private var steps: [PrefetchOrder.Step]
  private var current: PrefetchOrder.Step?
  private let prefetch: ResourcePrefetch?
  private var isAdvancing = false
  private var isOver = false
  private var fetchedCount = 0
  private var fetchedBytes = 0

  /// Returns nil if this isn't the first start on the account, or if the session fetches nothing in advance.
  init?(of screen: MainViewController) {
    let factory = screen.factory
    guard let log = factory.firstFetchLog, screen.account.isSignedIn,
      Self.isEmpty(screen.router.section, in: screen.account),
      // The first section can be empty for long, for example the Home of a user without follows.
      screen.router.sections.filter(Self.canBeFilled).allSatisfy({ Self.isEmpty($0, in: screen.account) })
    else { return nil }
    account = screen.account
    settings = factory.settings
    shelf = factory.shelf
    unread = screen.unread
    self.log = log
    self.screen = screen
    first = screen.router.section
    steps =
      PrefetchOrder(
        sections: screen.router.sections, first: first,
        showsAvatars: shelf != nil && Self.showsAvatars(screen, factory.settings),
        isMetered: Self.isMetered(factory)
      ).steps
    prefetch = shelf.map {
      ResourcePrefetch(
        $0.resources, mostAtOnce: Self.mostAvatarsAtOnce, loadingPriority: Self.loadingPriority)
    }
    prefetch?.didChange = { [weak self] in self?.screen?.setNeedsHints() }
    prefetch?.didFinish = { [weak self] in self?.advance() }
    account.addObserver(self)
    shelf?.resources.addObserver(self)
    settings.didChange.add(self) { $0.settingsDidChange() }
  }

  /// Begins with the requests that the first screen needs. Its list has requested its page already.
  func begin() {
    account.startWithoutLists()
    advance()
  }

  /// The progress for the status bar, if any.
  var words: String? {
    switch current {
    case .avatars:
      guard let progress = prefetch?.progress, prefetch?.isActive == true, progress.count > 0 else { return nil }
      return FirstFetchWords.avatars(progress.fetchedCount, of: progress.count, byteCount: progress.byteCount)
    // The list itself shows that its first page is being fetched.
    case .page(let section): return section == first ? nil : FirstFetchWords.page(section)
    case .identity, nil: return nil
    }
  }

  // MARK: Conditions

  /// Whether nothing of a section's list is cached. False for a section whose list can be empty for long.
  private static func isEmpty(_ section: Section, in account: Account) -> Bool {
    switch section {
    case .public, .home: section.timeline.map { account.timelines.timeline($0).knownRows.isEmpty } ?? false
    case .messages: account.inbox.conversations.isEmpty
    case .notifications: account.notifications.notifications.isEmpty
    case .bookmarks, .search, .views: false
    }
  }

  private static func canBeFilled(_ section: Section) -> Bool {
    switch section {
    case .public, .home, .messages, .notifications: true
    case .bookmarks, .search, .views: false
    }
  }

  private static func showsAvatars(_ screen: MainViewController, _ settings: ReaderSettings) -> Bool {
    settings.density == .comfortable && PictureShelf.Rendering(screen.window, settings.pictures) != nil
  }

  private static func isMetered(_ factory: ScreenFactory) -> Bool {
    factory.settings.isMetered || factory.shelf?.resources.isMetered == true
  }

  private func settingsDidChange() {
    guard !isOver, let screen else { return }
    if Self.isMetered(screen.factory) { return end(.metered) }
    guard !Self.showsAvatars(screen, settings) else { return }
    steps.removeAll { if case .avatars = $0 { true } else { false } }
    guard case .avatars = current else { return }
    prefetch?.stop()
    current = nil
    advance()
  }

  // MARK: Steps

  /// Begins the next steps, until one has to wait.
  private func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while !isOver, !account.connection.isBusy, prefetch?.isActive != true {
      if case .page(let section) = current {
        let state = state(of: section)
        if state?.isRefreshing == true { return }
        if state?.wasCancelled == true { return end(.cancelled) }
      }
      if account.connection.offlineSince != nil || account.connection.needsSignIn { return end(.offline) }
      guard !steps.isEmpty else { return end(.done) }
      let step = steps.removeFirst()
      current = step
      begin(step)
      screen?.setNeedsHints()
    }
  }

  private func begin(_ step: PrefetchOrder.Step) {
    switch step {
    case .identity: break
    case .page(first): break
    case .page(.messages): account.inbox.start()
    case .page(.notifications): account.notifications.start()
    case .page(let section):
      // The reader may have opened the section in the meantime.
      guard let name = Self.timeline(of: section), account.timelines.state(of: name).refreshedAt == nil else { return }
      account.timelines.refresh(name, cause: .poll)
    case .avatars(let section): prefetch?.start(avatarTags(of: section))
    }
  }

  /// Pauses the avatars, so that a request of the reader gets the whole link.
  private func yield() {
    guard let current, prefetch?.isActive == true else { return }
    prefetch?.stop()
    steps.insert(current, at: 0)
    self.current = nil
    screen?.setNeedsHints()
  }

  /// Called when the user cancels loading.
  func cancel() { end(.cancelled) }

  private func end(_ end: End) {
    guard !isOver else { return }
    isOver = true
    prefetch?.stop()
    current = nil
    settings.didChange.remove(self)
    // These lists are polled even if nothing is fetched in advance.
    account.startLists()
    log(FirstFetchWords.end(count: fetchedCount, byteCount: fetchedBytes, end))
    screen?.firstFetchDidEnd()
  }

  private func state(of section: Section) -> FeedState? {
    switch section {
    case .messages: account.inbox.state
    case .notifications: account.notifications.state
    case .public, .home, .bookmarks, .search, .views:
      Self.timeline(of: section).map { account.timelines.state(of: $0) }
    }
  }

  private static func timeline(of section: Section) -> TimelineName? {
    section == .bookmarks ? .bookmarks : section.timeline
  }

  // MARK: Avatars

  /// The tags of the avatars, in the order of the rows. Avatars of hidden rows aren't fetched.
  private func avatarTags(of section: Section) -> [ResourceTag] {
    guard let shelf else { return [] }
    var tags: [ResourceTag] = []
    func add(_ qwinker: Qwinker, _ tag: ResourceTag) {
      guard let address = qwinker.ownAvatar, !tags.contains(tag) else { return }
      if qwinker.isLocal { shelf.trust(hostOf: address) }
      shelf.resources.setResources([address], for: tag)
      tags.append(tag)
    }
    if section == first, let me = account.identity.me { add(me, .ownAvatar) }
    for qwinker in qwinkers(of: section) { add(qwinker, .avatar(of: qwinker)) }
    return tags
  }

  private func qwinkers(of section: Section) -> [Qwinker] {
    switch section {
    case .messages:
      return account.inbox.conversations.compactMap { ConversationWords.face(of: $0, me: account.identity.me?.id) }
    case .notifications:
      return account.notifications.notifications.filter { !account.leavesOut($0) }.map(\.qwinker)
    case .public, .home, .bookmarks, .search, .views:
      guard let name = Self.timeline(of: section) else { return [] }
      return account.timelines.timeline(name).knownRows.compactMap(\.qwink)
        .filter { !unread.isLeftOut($0, of: name) }.map(\.author)
    }
  }

  fileprivate func note(_ path: String, byteCount: Int) {
    guard !isOver else { return }
    fetchedCount += 1
    fetchedBytes += byteCount
    log(FirstFetchWords.log(fetchedCount, path, byteCount: byteCount))
  }
}

extension FirstFetch: AccountObserver {
  func connectionDidChangeBusy(_ connection: AccountConnection) {
    if connection.isBusy { yield() } else { advance() }
  }

  func connection(_ connection: AccountConnection, didFetch path: String, byteCount: Int) {
    note(path, byteCount: byteCount)
  }

  // A page is merged after its request has ended.
  func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) { advance() }
  func inboxDidChangeState(_ inbox: Inbox) { advance() }
  func notificationFeedDidChangeState(_ notifications: NotificationFeed) { advance() }
}

extension FirstFetch: ResourceObserver {
  func resources(_ manager: ResourceManager, didFetch address: String, byteCount: Int) {
    note(PercentEncoding.encoded(address.prefix { $0 != "?" && $0 != "#" }), byteCount: byteCount)
  }
}
