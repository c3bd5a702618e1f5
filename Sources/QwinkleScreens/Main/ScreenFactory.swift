public import PaneKit
public import QwinkleAccount
import QwinkleModel
public import QwinkleStore

/// Builds the controllers of one account's screens.
@MainActor
public struct ScreenFactory {
  let account: Account
  let drafts: OutgoingStore?
  let keymap: Keymap
  let links: LinkActions

  /// - Parameters:
  ///   - opener: shows what only a browser can show.
  ///   - hasPages: whether the server's qwinks have pages that a browser can show.
  public init(
    account: Account, drafts: OutgoingStore?, keymap: Keymap, opener: any URLOpener, hasPages: Bool = true
  ) {
    self.account = account
    self.drafts = drafts
    self.keymap = keymap
    links = LinkActions(account: account, opener: opener, keymap: keymap, hasPages: hasPages)
  }

  /// The sections that there are.
  var sections: [Section] { account.isSignedIn ? Section.allCases : [.public, .search] }

  /// What a section begins with.
  func root(of section: Section, for navigator: any Navigator) -> any Pane {
    switch section {
    case .public: return timeline(.public, navigator)
    case .home: return timeline(.home, navigator)
    case .bookmarks: return timeline(.bookmarks, navigator)
    case .messages: return conversations(for: navigator)
    case .notifications:
      let screen = NotificationsViewController(notifications: account.notifications, account: account)
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
      let page = QwinkerViewController(qwinker: qwinker, account: account)
      page.navigator = navigator
      return reading(page, navigator)
    case .qwinkers(let name, let qwinker):
      let list = QwinkerListViewController(list: name, of: qwinker, account: account)
      list.navigator = navigator
      return list
    case .versions(let qwink):
      let versions = VersionsViewController(qwink: qwink, account: account)
      versions.navigator = navigator
      return versions
    case .search(let query): return search(query, navigator)
    case .conversation(let conversation):
      let chat = ChatViewController(
        conversation: conversation, inbox: account.inbox, account: account, drafts: drafts, keymap: keymap)
      chat.navigator = navigator
      return chat
    }
  }

  /// The list of private messages.
  func conversations(for navigator: any Navigator) -> any Pane {
    let list = ConversationsViewController(inbox: account.inbox, account: account)
    list.navigator = navigator
    return list
  }

  /// A sheet to write in.
  func entry(_ purpose: EntryPurpose) -> EntryViewController {
    EntryViewController(purpose: purpose, account: account, drafts: drafts, keymap: keymap)
  }

  /// A sheet with what I say of myself.
  func profile() -> ProfileViewController {
    ProfileViewController(account: account, keymap: keymap)
  }

  private func timeline(_ name: TimelineName, _ navigator: any Navigator) -> any Pane {
    let timeline = TimelineViewController(name: name, account: account)
    timeline.navigator = navigator
    return reading(timeline, navigator)
  }

  private func search(_ query: String, _ navigator: any Navigator) -> any Pane {
    let search = SearchViewController(query: query, account: account)
    search.navigator = navigator
    return reading(search, navigator)
  }

  private func reading(_ list: any Screen, _ navigator: any Navigator) -> any Pane {
    ReadingViewController(list: list, thread: thread(navigator))
  }

  private func thread(_ navigator: any Navigator) -> ThreadViewController {
    let thread = ThreadViewController(account: account)
    thread.navigator = navigator
    return thread
  }
}
