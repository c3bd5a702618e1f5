import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore

/// Replying to a qwink, quoting it, and editing, deleting or redrafting the user's own qwink.
extension QwinkCommand {
  static let writing = [reply, quote, edit, delete, redraft]

  /// Replies to a qwink's author, not to its booster.
  private static let reply = QwinkCommand(.reply, prompt: "reply") { qwink, context in
    // A qwink that may be a direct message gets a direct reply.
    context.navigator.write(.reply(to: context.account.inbox.message(from: qwink) ?? qwink))
  }

  /// Quotes a qwink in a new one. The server's description and the qwink show whether that is possible.
  private static let quote = QwinkCommand(
    .quote, prompt: "quote",
    refusing: { qwink, account in account.quoteRefusal(of: qwink) },
    perform: { qwink, context in context.navigator.write(.quote(of: qwink.original)) })

  private static let edit = QwinkCommand(
    .edit, prompt: "edit",
    refusing: { qwink, account in account.isMe(qwink.author) ? nil : ActionWords.cannotEdit },
    perform: { qwink, context in context.navigator.write(.edit(qwink)) })

  /// Deletes the user's own qwink. Deletion can't be undone, so it is delayed for a few seconds. If the user has turned
  /// the delay off, the deletion must be confirmed, unless the user has turned confirmations off too.
  private static let delete = QwinkCommand(.delete, prompt: "delete", refusing: cannotDelete) { qwink, context in
    let delete: @MainActor () -> Void = { [weak account = context.account] in account?.holdDeletion(of: qwink) }
    guard !context.account.pendingActions.isOn, context.settings.asksToDelete else { return delete() }
    context.navigator.ask(
      ActionWords.deleteQuestion(hasReplies: qwink.repliesCount > 0), again: nil, confirmed: delete)
  }

  /// Deletes the user's qwink and opens an entry with its content. The user must confirm this, unless confirmations are
  /// turned off. If part of the content can't be posted again, the user must always confirm the loss.
  private static let redraft = QwinkCommand(.redraft, prompt: "redraft", refusing: cannotDelete) { qwink, context in
    let navigator = context.navigator
    let redraft: @MainActor () -> Void = { [weak account = context.account, weak navigator] in
      guard let account, let navigator else { return }
      deleteToWriteAgain(qwink, of: account, losing: [], navigator)
    }
    guard context.settings.asksToDelete else { return redraft() }
    navigator.ask(ActionWords.redraftQuestion, again: nil, confirmed: redraft)
  }

  @MainActor
  private static func cannotDelete(_ qwink: Qwink, _ account: Account) -> String? {
    account.isMe(qwink.author) ? nil : ActionWords.cannotDelete
  }

  @MainActor
  private static func deleteToWriteAgain(
    _ qwink: Qwink, of account: Account, losing losses: Set<RedraftLoss>, _ navigator: any Navigator
  ) {
    let isHere = navigator.whileHere()
    navigator.say(ActionWords.redrafting, .dim)
    account.redraft(qwink, losing: losses) { [weak account, weak navigator] result in
      switch result {
      case .success(let redraft) where isHere(): navigator?.write(redraft.purpose)
      case .success: navigator?.say(ActionWords.redrafted, .new)
      case .failure(.loses(let losses)) where isHere():
        navigator?.ask(ActionWords.redraftQuestion(losing: losses), again: nil) { [weak account, weak navigator] in
          guard let account, let navigator else { return }
          deleteToWriteAgain(qwink, of: account, losing: Set(losses), navigator)
        }
      case .failure(let error): navigator?.say(error.sentence, .error)
      }
    }
  }
}

extension QwinkerCommand {
  /// Starts a direct message to the qwinker. Reopens the draft of a message to them if one exists. Otherwise shows the
  /// existing conversation with them, or opens a new entry.
  static let message = QwinkerCommand(.message, prompt: "message") { qwinker, context in
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
