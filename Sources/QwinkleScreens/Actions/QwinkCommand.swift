import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore

/// What a key can do to the selected qwink, on whatever screen it stands. Each is in a file of its own in this folder.
@MainActor
struct QwinkCommand {
  /// What a command may use.
  @MainActor
  struct Context {
    let feed: QwinkFeed
    let inbox: Inbox
    let notifications: NotificationFeed
    let drafts: OutgoingStore?
    let links: LinkActions
    /// Whose window sheets stand in.
    unowned let navigator: any Navigator & ViewController
  }

  let action: Action
  /// Whether only somebody with an account can do it.
  let needsAccount: Bool
  let perform: @MainActor (Qwink, Context) -> Void

  init(_ action: Action, needsAccount: Bool = true, perform: @escaping @MainActor (Qwink, Context) -> Void) {
    self.action = action
    self.needsAccount = needsAccount
    self.perform = perform
  }

  /// All of them.
  static let all: [QwinkCommand] = [
    reply, boost, favourite, bookmark, edit, delete, openLink, copyLink, reveal, parent, boosters, favouriters,
    versions,
  ]
}

extension QwinkFeed {
  /// Those of `actions`, which are done to a qwink, that can be done to this one: for hints.
  func possible(_ actions: [Action], on qwink: Qwink?) -> [Action] {
    guard isSignedIn, let qwink else { return [] }
    return actions.filter { $0 != .boost || qwink.canBeBoosted(by: me?.id) }
  }
}

extension QwinkCommand.Context {
  /// Whether the signed-in qwinker wrote it.
  func isMine(_ qwink: Qwink) -> Bool {
    feed.me.map { $0.id == qwink.author.id } ?? false
  }
}
