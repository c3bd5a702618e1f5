public import PaneKit
public import QwinkleAccount
import QwinkleModel
public import QwinkleStore

/// Builds the controllers of one account's screens.
@MainActor
public struct ScreenFactory {
  let feeds: AccountFeeds
  let drafts: OutgoingStore?
  let keymap: Keymap
  let links: LinkActions

  /// - Parameters:
  ///   - opener: shows what only a browser can show.
  ///   - hasPages: whether the server's qwinks have pages that a browser can show.
  public init(
    feeds: AccountFeeds, drafts: OutgoingStore?, keymap: Keymap, opener: any URLOpener, hasPages: Bool = true
  ) {
    self.feeds = feeds
    self.drafts = drafts
    self.keymap = keymap
    links = LinkActions(feed: feeds.qwinks, opener: opener, keymap: keymap, hasPages: hasPages)
  }

  var feed: QwinkFeed { feeds.qwinks }

  /// The sections that there are.
  var sections: [Section] { feed.isSignedIn ? Section.allCases : [.public, .search] }

  /// What a section begins with.
  func root(of section: Section, for navigator: any Navigator) -> any Pane {
    switch section {
    case .public: return timeline(.public, navigator)
    case .home: return timeline(.home, navigator)
    case .bookmarks: return timeline(.bookmarks, navigator)
    case .messages: return conversations(for: navigator)
    case .notifications:
      let screen = NotificationsViewController(notifications: feeds.notifications, feed: feed)
      screen.navigator = navigator
      return reading(screen, navigator)
    case .search: return search("", navigator)
    }
  }

  /// What shows `place`.
  func controller(for place: Place, for navigator: any Navigator) -> any Pane {
    switch place {
    case .thread(let qwink):
      let thread = thread(navigator)
      thread.show(qwink)
      return thread
    case .timeline(let name): return timeline(name, navigator)
    case .qwinker(let qwinker):
      let page = QwinkerViewController(qwinker: qwinker, feed: feed)
      page.navigator = navigator
      return reading(page, navigator)
    case .qwinkers(let name, let qwinker):
      let list = QwinkerListViewController(list: name, of: qwinker, feed: feed)
      list.navigator = navigator
      return list
    case .versions(let qwink):
      let versions = VersionsViewController(qwink: qwink, feed: feed)
      versions.navigator = navigator
      return versions
    case .search(let query): return search(query, navigator)
    case .conversation(let conversation):
      let chat = ChatViewController(
        conversation: conversation, inbox: feeds.inbox, feed: feed, drafts: drafts, keymap: keymap)
      chat.navigator = navigator
      return chat
    }
  }

  /// The list of private messages.
  func conversations(for navigator: any Navigator) -> any Pane {
    let list = ConversationsViewController(inbox: feeds.inbox, feed: feed)
    list.navigator = navigator
    return list
  }

  /// A sheet to write in.
  func entry(_ purpose: EntryPurpose) -> EntryViewController {
    EntryViewController(purpose: purpose, feed: feed, drafts: drafts, keymap: keymap)
  }

  /// A sheet with what I say of myself.
  func profile() -> ProfileViewController {
    ProfileViewController(feed: feed, keymap: keymap)
  }

  private func timeline(_ name: TimelineName, _ navigator: any Navigator) -> any Pane {
    let timeline = TimelineViewController(name: name, feed: feed)
    timeline.navigator = navigator
    return reading(timeline, navigator)
  }

  private func search(_ query: String, _ navigator: any Navigator) -> any Pane {
    let search = SearchViewController(query: query, feed: feed)
    search.navigator = navigator
    return reading(search, navigator)
  }

  private func reading(_ list: any Screen, _ navigator: any Navigator) -> any Pane {
    ReadingViewController(list: list, thread: thread(navigator))
  }

  private func thread(_ navigator: any Navigator) -> ThreadViewController {
    let thread = ThreadViewController(feed: feed)
    thread.navigator = navigator
    return thread
  }
}
