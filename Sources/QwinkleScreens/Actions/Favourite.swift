import QwinkleAccount
import QwinkleModel

extension QwinkCommand {
  /// Makes a qwink a favourite, which tells its author, or takes that back.
  static let favourite = QwinkCommand(.favourite) { qwink, context in toggle(.favourite, of: qwink, context) }

  /// Does `reaction` where it is not done, and takes it back where it is.
  static func toggle(_ reaction: Reaction, of qwink: Qwink, _ context: Context) {
    let isOn = !qwink.has(reaction)
    context.feed.react(to: qwink, with: reaction, isOn: isOn)
    context.navigator.say("\(reaction.sentence(isOn: isOn)) u takes it back.", .new) { [weak feed = context.feed] in
      feed?.has(reaction, qwink) == isOn
    }
  }
}
