public import OnDemandResources
public import PaneKit
public import QwinkleAccount
import QwinkleConfig
import QwinkleModel
public import QwinkleStore

/// Builds the controllers of one account's screens.
@MainActor
public struct ScreenFactory {
  let account: Account
  let drafts: OutgoingStore?
  var keymap: Keymap
  let links: LinkActions
  let settings: ReaderSettings
  /// The account's picture cache; nil if pictures aren't available.
  let shelf: PictureShelf?
  /// The directory that `~` expands to; nil for the environment's home.
  let home: String?
  /// Themes and keymaps from the web, if available.
  let webResources: ResourceManager?
  /// Whether Home is the first section if nothing is restored.
  let opensHome: Bool
  /// Logs what the first start on the account fetches. Nil if the account fetches only what is shown.
  let firstFetchLog: (@MainActor (String) -> Void)?
  /// The other accounts, if any.
  weak var directory: (any AccountDirectory)?

  /// - Parameters:
  ///   - opener: Opens addresses that only a browser can show.
  ///   - settings: The user's settings.
  ///   - hasPages: Whether the server's qwinks have pages that a browser can show.
  ///   - opensHome: Whether Home is the first section if nothing is restored.
  ///   - shelf: The account's picture cache; nil to show no pictures.
  ///   - home: The directory that `~` expands to; nil for the directory where the shelf saves pictures, or else the
  ///     environment's home.
  ///   - webResources: Themes and keymaps from the web; nil for none.
  ///   - firstFetchLog: Logs what the first start on the account fetches; nil to fetch nothing in advance.
  ///   - directory: The accounts to switch between, held weakly.
  public init(
    account: Account, drafts: OutgoingStore?, keymap: Keymap, opener: any URLOpener,
    settings: ReaderSettings = ReaderSettings(), hasPages: Bool = true, opensHome: Bool = false,
    shelf: PictureShelf? = nil, home: String? = nil, webResources: ResourceManager? = nil,
    firstFetchLog: (@MainActor (String) -> Void)? = nil, directory: (any AccountDirectory)? = nil
  ) {
    self.firstFetchLog = firstFetchLog
    self.opensHome = opensHome
    self.shelf = shelf
    self.home = home ?? shelf?.home
    self.webResources = webResources
    self.directory = directory
    self.settings = settings
    self.account = account
    self.drafts = drafts
    self.keymap = keymap
    links = LinkActions(account: account, opener: opener, keymap: keymap, hasPages: hasPages)
  }

  /// The sections available to the account.
  var sections: [Section] {
    (account.isSignedIn ? Section.allCases : [.public, .search, .views]).filter { $0 != .views || !views.isEmpty }
  }

  var views: [OwnView] { settings.desk?.views ?? [] }

  /// Returns the root pane of a section.
  func root(of section: Section, for navigator: any Navigator) -> any Pane {
    switch section {
    case .public: timeline(.public, navigator)
    case .home: timeline(.home, navigator)
    case .bookmarks: timeline(.bookmarks, navigator)
    case .messages: messages(for: navigator)
    case .notifications:
      reading(NotificationsViewController(account: account, settings: settings, shelf: shelf), navigator)
    case .search: search("", navigator)
    case .views:
      reading(SavedSearchViewController(views.first, account: account, settings: settings, shelf: shelf), navigator)
    }
  }

  /// Returns a pane that shows `place`.
  func pane(for place: Place, for navigator: any Navigator) -> any Pane {
    let pane = controller(for: place, for: navigator)
    pane.restorationIdentifier = place.restorationIdentifier
    pane.restorationContext = place.restorationContext
    return pane
  }

  private func controller(for place: Place, for navigator: any Navigator) -> any Pane {
    switch place {
    case .thread(let qwink):
      let thread = screen(
        ThreadViewController(account: account, settings: settings, shelf: shelf, links: links), navigator)
      thread.show(qwink)
      return thread
    case .timeline(let name): return timeline(name, navigator)
    case .remote(let name):
      return screen(
        RemoteTimelineViewController(name, account: account, settings: settings, shelf: shelf), navigator)
    case .qwinker(let qwinker):
      return reading(
        QwinkerViewController(qwinker: qwinker, account: account, settings: settings, shelf: shelf), navigator)
    case .qwinkers(let name, let qwinker):
      return screen(
        QwinkerListViewController(list: name, of: qwinker, account: account, settings: settings, shelf: shelf),
        navigator)
    case .collections(let qwinker, let isFeatured):
      let name: CollectionListName = isFeatured ? .featuring(qwinker.id) : .by(qwinker.id)
      return screen(CollectionsViewController(name, of: qwinker, account: account), navigator)
    case .versions(let qwink): return screen(VersionsViewController(qwink: qwink, account: account), navigator)
    case .pictures(let qwink):
      return screen(
        PictureViewController(qwink: qwink, account: account, shelf: shelf, settings: settings, links: links),
        navigator)
    case .search(let query): return search(query, navigator)
    case .view(let view):
      return reading(SavedSearchViewController(view, account: account, settings: settings, shelf: shelf), navigator)
    case .filterMatches(let filter):
      return reading(
        FilterMatchesViewController(filter, account: account, settings: settings, shelf: shelf), navigator)
    case .conversation(let conversation): return chat(conversation, navigator)
    case .records(let kind): return records(kind, navigator)
    case .filteredNotifications(let qwinker):
      return reading(
        FilteredNotificationsViewController(of: qwinker, account: account, settings: settings, shelf: shelf), navigator)
    case .catchUp:
      return reading(
        CatchUpViewController(account: account, links: links, settings: settings, shelf: shelf), navigator)
    case .resources:
      return screen(
        ResourcesViewController(
          account: account, managers: [shelf?.resources, webResources].compactMap(\.self), shelf: shelf),
        navigator)
    case .outbox: return screen(OutboxViewController(account: account, store: drafts), navigator)
    case .drafts: return screen(DraftsViewController(account: account, store: drafts), navigator)
    }
  }

  private func records(_ kind: ManagedListKind, _ navigator: any Navigator) -> any Pane {
    switch kind {
    case .scheduled: screen(ScheduledViewController(account: account), navigator)
    case .lists: screen(ListsViewController(account: account), navigator)
    case .filters: screen(FiltersViewController(account: account, keymap: keymap), navigator)
    case .tags: screen(FollowedTagsViewController(account: account), navigator)
    case .announcements: screen(AnnouncementsViewController(account: account, links: links), navigator)
    case .server: screen(ServerViewController(account: account), navigator)
    case .filtered:
      screen(NotificationRequestsViewController(account: account, settings: settings, shelf: shelf), navigator)
    case .trends: screen(TrendsViewController(account: account, links: links), navigator)
    }
  }

  /// Returns the pane of the direct messages.
  func messages(for navigator: any Navigator) -> any Pane {
    let list = screen(ConversationsViewController(account: account, settings: settings, shelf: shelf), navigator)
    return MessagesViewController(list: list, account: account) { [weak navigator] conversation in
      navigator.map { chat(conversation, $0) }
    }
  }

  private func chat(_ conversation: Conversation, _ navigator: any Navigator) -> ChatViewController {
    screen(
      ChatViewController(
        conversation: conversation, account: account, drafts: drafts, settings: settings, shelf: shelf, home: home),
      navigator)
  }

  /// Returns an entry sheet, with the text of `discarded` if given.
  func entry(_ purpose: EntryPurpose, resuming discarded: DiscardedEntry? = nil) -> EntryViewController {
    let entry = EntryViewController(
      purpose: purpose, account: account, drafts: drafts, keymap: keymap, discarded: discarded)
    entry.takeFiles(below: home, shelf, settings)
    return entry
  }

  /// Returns a sheet for editing the user's profile.
  func profile() -> ProfileViewController {
    ProfileViewController(account: account, keymap: keymap)
  }

  private func timeline(_ name: TimelineName, _ navigator: any Navigator) -> any Pane {
    reading(TimelineViewController(name: name, account: account, settings: settings, shelf: shelf), navigator)
  }

  private func search(_ query: String, _ navigator: any Navigator) -> any Pane {
    reading(SearchViewController(query: query, account: account, settings: settings, shelf: shelf), navigator)
  }

  /// Returns a pane with `list` and the thread of its selected qwink.
  private func reading(_ list: any Screen, _ navigator: any Navigator) -> any Pane {
    list.navigator = navigator
    return ListAndThreadViewController(
      list: list,
      thread: screen(ThreadViewController(account: account, settings: settings, shelf: shelf, links: links), navigator))
  }

  private func screen<Controller: Screen>(_ controller: Controller, _ navigator: any Navigator) -> Controller {
    controller.navigator = navigator
    return controller
  }
}
