import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore

/// Writing about a qwink, and changing what one wrote.
extension QwinkCommand {
  static let writing = [reply, edit, delete]

  /// Answers a qwink's author; whoever boosted it is not meant.
  private static let reply = QwinkCommand(.reply) { qwink, context in
    // What may be direct is answered so.
    context.navigator.write(.reply(to: context.account.inbox.message(from: qwink) ?? qwink))
  }

  /// Gives one's own qwink another text.
  private static let edit = QwinkCommand(.edit) { qwink, context in
    guard context.isMine(qwink) else { return context.navigator.say("Only your own qwinks can be edited.", .warning) }
    context.navigator.write(.edit(qwink))
  }

  /// Deletes one's own qwink, after a question: it cannot be taken back.
  private static let delete = QwinkCommand(.delete) { qwink, context in
    guard context.isMine(qwink) else { return context.navigator.say("Only your own qwinks can be deleted.", .warning) }
    let answers = qwink.repliesCount == 0 ? "" : " Its answers stay."
    context.navigator.ask("Delete this qwink for good?\(answers)", again: nil) { [weak account = context.account] in
      account?.posts.delete(qwink)
    }
  }
}

extension QwinkCommand.Context {
  /// Whether the signed-in qwinker wrote it.
  fileprivate func isMine(_ qwink: Qwink) -> Bool {
    account.identity.me.map { $0.id == qwink.author.id } ?? false
  }
}

extension QwinkerCommand {
  /// Writes to somebody alone: where one talks with them already, or else in an entry. What was begun there is taken
  /// up.
  static let writePrivately = QwinkerCommand(.writePrivately) { qwinker, context in
    guard let known = context.account.inbox.conversation(with: qwinker), let drafts = context.account.outgoing else {
      return context.navigator.write(.message(to: qwinker))
    }
    let isHere = context.navigator.whileHere()
    drafts.has(.message(to: qwinker)) { [weak navigator = context.navigator] isBegun in
      guard isHere() else { return }
      if isBegun { navigator?.write(.message(to: qwinker)) } else { navigator?.show(.conversation(known)) }
    }
  }
}
