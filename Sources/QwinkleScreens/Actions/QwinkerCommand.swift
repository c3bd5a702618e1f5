import PaneKit
import QwinkleModel

/// What a key can do about the selected qwinker, on whatever screen: who wrote, did or is what is selected there.
@MainActor
struct QwinkerCommand {
  let action: Action
  /// Whether only somebody with an account can do it.
  let needsAccount: Bool
  /// Whether there is anything to do.
  let isPossible: @MainActor (Qwinker, QwinkCommand.Context) -> Bool
  let perform: @MainActor (Qwinker, QwinkCommand.Context) -> Void

  init(
    _ action: Action, needsAccount: Bool = true,
    when isPossible: @escaping @MainActor (Qwinker, QwinkCommand.Context) -> Bool = { _, _ in true },
    perform: @escaping @MainActor (Qwinker, QwinkCommand.Context) -> Void
  ) {
    self.isPossible = isPossible
    self.action = action
    self.needsAccount = needsAccount
    self.perform = perform
  }

  /// All of them.
  static let all: [QwinkerCommand] = [
    page, writePrivately, follow, acceptRequest, refuseRequest, followers, following, openLink, copyLink,
  ]
}

/// Where a qwinker leads.
extension QwinkerCommand {
  /// Their page.
  static let page = QwinkerCommand(.author, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinker(qwinker))
  }

  /// Who follows them.
  static let followers = QwinkerCommand(.followers, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinkers(.followers(qwinker.id), of: qwinker))
  }

  /// Whom they follow.
  static let following = QwinkerCommand(.following, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinkers(.following(qwinker.id), of: qwinker))
  }

  /// Opens what they say of themselves leads to; where that is several things, asks which.
  static let openLink = QwinkerCommand(.openLink, needsAccount: false) { qwinker, context in
    context.links.open(qwinker, over: context.navigator)
  }

  /// Copies the address of their page, for whoever wants to pass it on.
  static let copyLink = QwinkerCommand(.copyLink, needsAccount: false) { qwinker, context in context.links.copy(qwinker)
  }
}
