public import QwinkleModel

/// What can be taken back for some seconds, or is done at once where nothing is held: deletions, blocks, votes and
/// dismissals. It is in memory alone: a program that ends drops it.
extension Account {
  /// Deletes one of my own qwinks; see ``Posts/delete(_:)``.
  public func holdDeletion(of qwink: Qwink) {
    hold(.delete(qwink.originalID)) { [weak posts] in posts?.delete(qwink) }
  }

  /// Blocks somebody; see ``block(_:isOn:done:)``.
  public func holdBlock(of qwinker: Qwinker, done: @escaping @MainActor () -> Void) {
    hold(.block(qwinker)) { [weak self] in self?.block(qwinker, isOn: true, done: done) }
  }

  /// Blocks a whole server; see ``blockServer(_:done:)``.
  public func holdServerBlock(of host: String, done: @escaping @MainActor () -> Void) {
    hold(.blockServer(host)) { [weak self] in self?.blockServer(host, done: done) }
  }

  /// Votes in a qwink's poll; see ``vote(in:for:done:)``.
  public func holdVote(in qwink: Qwink, for choices: [Int], done: @escaping @MainActor (Poll) -> Void) {
    hold(.vote(qwink.originalID)) { [weak self] in self?.vote(in: qwink, for: choices, done: done) }
  }

  /// Dismisses notifications, which leave the list at once. They come back if the server keeps them, or it is taken
  /// back.
  public func holdDismissal(of ids: [AccountNotification.ID], done: @escaping @MainActor () -> Void) {
    notifications.hide(ids)
    let takeBack: @MainActor () -> Void = { [weak notifications] in notifications?.putBack(ids) }
    hold(.dismiss(ids), takeBack: takeBack) { [weak notifications] in notifications?.dismiss(ids, done: done) }
  }

  /// Removes all notifications from the server.
  public func holdClearing(done: @escaping @MainActor () -> Void) {
    hold(.clearNotifications) { [weak notifications] in notifications?.clear(done: done) }
  }

  private func hold(
    _ kind: HeldActs.Kind, takeBack: @escaping @MainActor () -> Void = {}, perform: @escaping @MainActor () -> Void
  ) {
    guard held.isOn else { return perform() }
    if let id = held.hold(kind, takeBack: takeBack, perform: perform) { undoHistory.remember(.held(id)) }
  }
}

extension HeldActs.Kind {
  /// The result of taking it back.
  var takenBack: String {
    switch self {
    case .post: "Not posted"
    case .delete: "Not deleted"
    case .block(let qwinker): "Not blocked: @\(qwinker.handle)"
    case .blockServer(let host): "Not blocked: \(host)"
    case .vote: "Not voted"
    case .dismiss: "Not dismissed"
    case .clearNotifications: "Notifications not cleared"
    }
  }

  /// It can't be taken back any more.
  var tooLate: String {
    switch self {
    case .post: "Too late: it is being posted"
    case .delete: "Too late: it is being deleted"
    case .block: "Too late: B unblocks"
    case .blockServer: "Too late: u again unblocks it"
    case .vote: "Too late: you have voted"
    case .dismiss(let ids): "Too late: \(ids.count == 1 ? "it is" : "they are") dismissed"
    case .clearNotifications: "Too late: notifications are cleared"
    }
  }
}
