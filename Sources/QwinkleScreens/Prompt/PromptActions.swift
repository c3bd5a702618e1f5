import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// The actions of prompt commands for which no key exists, and their messages.
@MainActor
enum PromptActions {
  nonisolated static let muteUsage = "Usage: :mute NAME [TIME], with a time such as 8h or 7d"
  nonisolated static let noteSaved = "Note saved"
  nonisolated static let noteRemoved = "Note removed"
  nonisolated static let noLists = "You have no lists. \(Action.recordAdd.key) in :lists adds one"

  nonisolated static func reported(_ qwinker: Qwinker) -> String { "Reported @\(qwinker.handle)" }

  nonisolated static let voted = "Voted"

  /// Linear form announces the results, because it doesn't show the row again.
  nonisolated static func spokenVoted(_ poll: Poll) -> String { "\(voted) · \(results(of: poll))" }

  nonisolated static func results(of poll: Poll) -> String {
    poll.options.map { "\($0.title) \($0.votesCount.map(String.init) ?? "?")" }.joined(separator: " · ")
  }

  nonisolated static func lists(_ lists: [PersonalList]) -> String {
    "Lists: \(lists.map(\.title).joined(separator: ", ")) · :list NAME"
  }

  nonisolated static func noList(_ name: String, _ lists: [PersonalList]) -> String {
    "No list “\(name)”. \(lists.isEmpty ? noLists : self.lists(lists))"
  }

  /// Returns the seconds in a text such as `8h`, or nil if the text isn't valid.
  nonisolated static func seconds(_ text: String) -> Int? {
    let units: [Character: Int] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 8, let count = Int(text.dropLast()), count > 0
    else { return nil }
    return count * unit
  }

  /// Returns the name of a server, given its host name or URL. Returns nil if `text` is neither, or if a host name has
  /// no dot.
  nonisolated static func server(_ text: String) -> String? {
    ServerAddress.name(in: text).flatMap { $0.contains(".") || $0.hasPrefix("[") ? $0 : nil }
  }

  nonisolated static func refusal(ofServer text: String) -> String {
    "“\(text)” is not the name of a server, such as tilde.example."
  }

  nonisolated static func blockServerQuestion(_ host: String) -> String {
    "Block all of \(host)? You won't see its users, and they stop following you."
  }

  /// Opens another server's timeline.
  static func open(_ timeline: RemoteTimeline, _ context: QwinkCommand.Context) {
    let place = context.account.place(of: timeline)
    if case .remote = place, context.account.others == nil {
      return context.navigator.say(RemoteTimelineWords.noOthers, .warning)
    }
    context.navigator.show(place)
  }

  /// Blocks a server. Blocking ends follows, so the user must confirm it. If actions are delayed, no confirmation is
  /// needed, because the user can cancel the block before it is sent.
  static func blockServer(_ host: String, _ context: QwinkCommand.Context) {
    let done: @MainActor () -> Void = { [weak navigator = context.navigator] in
      navigator?.say(ActionWords.undoable(ActionWords.blocked(server: host, true)), .new)
    }
    let block: @MainActor () -> Void = { [weak account = context.account] in
      account?.holdServerBlock(of: host, done: done)
    }
    guard !context.account.pendingActions.isOn else { return block() }
    context.navigator.ask(blockServerQuestion(host), again: nil, confirmed: block)
  }

  static func unblockServer(_ host: String, _ context: QwinkCommand.Context) {
    context.account.blockServer(host, isOn: false) { [weak navigator = context.navigator] in
      navigator?.say(ActionWords.undoable(ActionWords.blocked(server: host, false)), .new)
    }
  }

  /// Removes all notifications. The user must confirm this, unless actions are delayed: then the user can cancel the
  /// removal.
  static func clearNotifications(_ context: QwinkCommand.Context) {
    if let refusal = context.account.connection.refusal(of: .clearing) {
      return context.navigator.say(refusal, .warning)
    }
    let done: @MainActor () -> Void = { [weak navigator = context.navigator] in
      navigator?.say(NotificationWords.cleared, .new)
    }
    let clear: @MainActor () -> Void = { [weak account = context.account] in account?.holdClearing(done: done) }
    guard !context.account.pendingActions.isOn else { return clear() }
    context.navigator.ask(NotificationWords.clearQuestion, again: nil, confirmed: clear)
  }

  /// Replaces a picture of the user's profile.
  static func setPicture(_ picture: OwnProfile.Picture, to path: String, _ context: QwinkCommand.Context) {
    context.navigator.say(ProfileWords.sending(picture), .dim)
    context.account.setPicture(picture, to: path) { [weak navigator = context.navigator] failure in
      navigator?.say(failure ?? ProfileWords.saved(picture), failure == nil ? .new : .error)
    }
  }

  /// Removes a picture of the user's profile.
  static func removePicture(_ picture: OwnProfile.Picture, _ context: QwinkCommand.Context) {
    context.account.removePicture(picture) { [weak navigator = context.navigator] in
      navigator?.say(ProfileWords.removed(picture), .new)
    }
  }

  /// Begins a catch-up and shows it.
  static func catchUp(_ span: CatchUp.Span, _ context: QwinkCommand.Context) {
    context.account.catchUp.start(span)
    context.navigator.show(.catchUp)
  }

  /// Opens the list with this name. Without a name, shows the names of all lists.
  static func showList(_ name: String, _ context: QwinkCommand.Context) {
    let isHere = context.navigator.whileHere()
    context.account.change(by: .lists, failing: "Your lists") { [weak navigator = context.navigator] lists in
      guard isHere(), let navigator else { return }
      guard !name.isEmpty else { return navigator.say(lists.isEmpty ? noLists : self.lists(lists), .text) }
      guard let found = lists.named(name) else { return navigator.say(noList(name, lists), .warning) }
      navigator.show(.timeline(.list(found.id, title: found.title)))
    }
  }

  /// Mutes a hashtag, unmutes it, or if `isOn` is nil, does the opposite of the current state.
  static func muteTag(
    _ name: String, isOn: Bool?, seconds: Int?, _ account: Account, _ navigator: (any Navigator)?
  ) {
    account.muteTag(name, isOn: isOn, seconds: seconds) { [weak navigator] isOn in
      navigator?.say(ActionWords.undoable(ManagedListWords.muted(name, isOn: isOn, seconds: seconds)), .new)
    }
  }

  /// Adds the selected qwink to a filter.
  static func filter(_ qwink: Qwink, by title: String?, _ context: QwinkCommand.Context) {
    context.account.filter(qwink, by: title) { [weak navigator = context.navigator] filter in
      guard let filter else { return navigator?.say(ManagedListWords.noFilter(title ?? ""), .warning) ?? () }
      navigator?.say(ActionWords.undoable(ManagedListWords.filtered(by: filter)), .new)
    }
  }

  /// Lists the cached posts that match the filter with a title.
  static func showMatches(of title: String, _ context: QwinkCommand.Context) {
    let isHere = context.navigator.whileHere()
    context.account.change(by: .filters, failing: "Your filters") { [weak navigator = context.navigator] filters in
      guard isHere(), let navigator else { return }
      guard let filter = filters.titled(title) else { return navigator.say(ManagedListWords.noFilter(title), .warning) }
      navigator.show(.filterMatches(filter))
    }
  }

  /// Follows a hashtag, or unfollows it if it is followed.
  static func followTag(_ name: String, _ context: QwinkCommand.Context) {
    let (account, navigator) = (context.account, context.navigator)
    account.change(by: .tag(name), failing: "Following #\(name)") { [weak account, weak navigator] tag in
      account?.followTag(name, isOn: tag.isFollowed != true) { [weak navigator] _, isOn, isUndo in
        if !isUndo { navigator?.say(ActionWords.undoable(ManagedListWords.followed(name, isOn: isOn)), .new) }
      }
    }
  }
}
