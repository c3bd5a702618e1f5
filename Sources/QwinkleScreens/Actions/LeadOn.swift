import PaneKit
import QwinkleModel

/// Where a qwink leads.
extension QwinkCommand {
  /// What it answers.
  static let parent = QwinkCommand(.parent, needsAccount: false) { qwink, context in
    guard let parent = qwink.inReplyTo else { return context.navigator.say("It answers nothing.", .warning) }
    context.navigator.show(qwinkWith: parent)
  }

  /// Who boosted it.
  static let boosters = QwinkCommand(.boosters, needsAccount: false) { qwink, context in
    guard qwink.boostsCount > 0 else { return context.navigator.say("Nobody has boosted it yet.", .warning) }
    context.navigator.show(.qwinkers(.boosters(qwink.originalID)))
  }

  /// Whose favourite it is.
  static let favouriters = QwinkCommand(.favouriters, needsAccount: false) { qwink, context in
    guard qwink.favouritesCount > 0 else { return context.navigator.say("It is nobody's favourite yet.", .warning) }
    context.navigator.show(.qwinkers(.favouriters(qwink.originalID)))
  }

  /// What it said before it was edited.
  static let versions = QwinkCommand(.versions, needsAccount: false) { qwink, context in
    guard qwink.editedAt != nil else { return context.navigator.say("It was never edited.", .warning) }
    context.navigator.show(.versions(qwink))
  }
}
