import PaneKit
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// Voting in a poll, pinning the user's own qwinks, and muting threads.
extension QwinkCommand {
  static let keeping = [vote, pin, muteThread]

  /// Starts the `vote` command on the command line, with the numbered options as a hint.
  private static let vote = QwinkCommand(
    .vote,
    refusing: { qwink, account in
      guard let poll = qwink.poll else { return ActionWords.noPoll }
      return ActionWords.cannotVote(in: poll, isOwn: account.isMe(qwink.author), at: account.clock.now)
    },
    perform: { qwink, context in
      guard let poll = context.account.shown(qwink).poll else { return }
      context.navigator.type("vote ", hint: ActionWords.options(of: poll))
    })

  /// Pins or unpins one of the user's own qwinks.
  private static let pin = QwinkCommand(
    .pin, prompt: "pin",
    refusing: { qwink, account in account.isMe(qwink.author) ? nil : ActionWords.cannotPin }
  ) { qwink, context in
    let isOn = !qwink.isPinned
    context.account.pin(qwink, isOn: isOn) { [weak navigator = context.navigator] in
      navigator?.say(ActionWords.undoable(ActionWords.pinned(isOn)), .new)
    }
  }

  /// Mutes or unmutes the qwink's thread.
  private static let muteThread = QwinkCommand(.muteThread, prompt: "mute-thread") { qwink, context in
    let isOn = !qwink.isThreadMuted
    context.account.muteThread(of: qwink, isOn: isOn) { [weak navigator = context.navigator] in
      navigator?.say(ActionWords.undoable(ActionWords.threadMuted(isOn)), .new)
    }
  }
}

/// Muting and blocking qwinkers.
extension QwinkerCommand {
  static let keepingAway = [mute, block]

  /// Mutes a qwinker permanently, or unmutes them.
  private static let mute = QwinkerCommand(.mute, when: isOther) { qwinker, context in
    let isOn = !context.account.follows.isMuting(qwinker.id)
    setMute(of: qwinker, isOn: isOn, seconds: 0, context)
  }

  /// Mutes a qwinker for `seconds`, or permanently if `seconds` is 0. If `isOn` is false, unmutes them.
  @MainActor
  static func setMute(of qwinker: Qwinker, isOn: Bool, seconds: Int, _ context: QwinkCommand.Context) {
    context.account.mute(qwinker, isOn: isOn, seconds: seconds) { [weak navigator = context.navigator] in
      navigator?.say(ActionWords.undoable(ActionWords.muted(qwinker, isOn, seconds: seconds)), .new)
    }
  }

  /// Blocks or unblocks a qwinker. Blocking ends follows in both directions, so the user must confirm it. If actions
  /// are delayed, no confirmation is needed, because the user can cancel the block before it is sent.
  static let block = QwinkerCommand(.block, when: isOther) { qwinker, context in
    let isOn = !context.account.follows.isBlocking(qwinker.id)
    let done: @MainActor () -> Void = { [weak navigator = context.navigator] in
      navigator?.say(ActionWords.blocked(qwinker, isOn), .new)
    }
    guard isOn else { return context.account.block(qwinker, isOn: false, done: done) }
    let block: @MainActor () -> Void = { [weak account = context.account] in
      account?.holdBlock(of: qwinker, done: done)
    }
    guard !context.account.pendingActions.isOn else { return block() }
    context.navigator.ask(ActionWords.blockQuestion(qwinker), again: nil, confirmed: block)
  }

  @MainActor
  private static func isOther(_ qwinker: Qwinker, _ account: Account) -> Bool { !account.isMe(qwinker) }
}
