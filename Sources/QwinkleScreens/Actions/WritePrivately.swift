import QwinkleAccount
import QwinkleModel
import QwinkleStore

extension QwinkerCommand {
  /// Writes to somebody alone: where one talks with them already, or else in an entry. What was begun there is taken
  /// up.
  static let writePrivately = QwinkerCommand(.writePrivately) { qwinker, context in
    guard let known = context.inbox.conversation(with: qwinker), let drafts = context.drafts else {
      return context.navigator.write(.message(to: qwinker))
    }
    let isHere = context.navigator.whileHere()
    drafts.has(.message(to: qwinker)) { [weak navigator = context.navigator] isBegun in
      guard isHere() else { return }
      if isBegun { navigator?.write(.message(to: qwinker)) } else { navigator?.show(.conversation(known)) }
    }
  }
}
