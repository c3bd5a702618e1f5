public import QwinkleModel

/// Deletions, blocks and votes that can be taken back for some seconds, or are done at once where nothing is held. They
/// are in memory alone: a program that ends drops them.
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

  private func hold(_ kind: HeldActs.Kind, perform: @escaping @MainActor () -> Void) {
    guard held.isOn else { return perform() }
    if let id = held.hold(kind, perform: perform) { undoHistory.remember(.held(id)) }
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
    }
  }
}
