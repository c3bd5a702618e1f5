import PaneKit
import QwinkleAccount
import QwinkleModel

/// Where a qwink leads.
extension QwinkCommand {
  static let leading = [reveal, openLink, copyLink, parent, boosters, favouriters, versions]

  /// Shows or hides what is behind a warning.
  private static let reveal = QwinkCommand(.reveal, needsAccount: false) { qwink, context in
    context.account.timelines.toggleReveal(qwink)
  }

  /// Opens what a qwink leads to; where that is several things, asks which.
  private static let openLink = QwinkCommand(.openLink, needsAccount: false) { qwink, context in
    context.links.open(qwink, over: context.navigator)
  }

  /// Copies a qwink's address, for whoever wants to pass it on.
  private static let copyLink = QwinkCommand(.copyLink, needsAccount: false) { qwink, context in
    context.links.copy(qwink)
  }

  /// What it answers.
  private static let parent = QwinkCommand(.parent, needsAccount: false) { qwink, context in
    guard let parent = qwink.inReplyTo else { return context.navigator.say("It answers nothing.", .warning) }
    context.navigator.show(qwinkWith: parent)
  }

  /// Who boosted it.
  private static let boosters = QwinkCommand(.boosters, needsAccount: false) { qwink, context in
    guard qwink.boostsCount > 0 else { return context.navigator.say("Nobody has boosted it yet.", .warning) }
    context.navigator.show(.qwinkers(.boosters(qwink.originalID)))
  }

  /// Whose favourite it is.
  private static let favouriters = QwinkCommand(.favouriters, needsAccount: false) { qwink, context in
    guard qwink.favouritesCount > 0 else { return context.navigator.say("It is nobody's favourite yet.", .warning) }
    context.navigator.show(.qwinkers(.favouriters(qwink.originalID)))
  }

  /// What it said before it was edited.
  private static let versions = QwinkCommand(.versions, needsAccount: false) { qwink, context in
    guard qwink.editedAt != nil else { return context.navigator.say("It was never edited.", .warning) }
    context.navigator.show(.versions(qwink))
  }
}

/// Where a qwinker leads.
extension QwinkerCommand {
  static let leading = [page, followers, followed, openLink, copyLink]

  /// Their page.
  private static let page = QwinkerCommand(.author, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinker(qwinker))
  }

  /// Who follows them.
  private static let followers = QwinkerCommand(.followers, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinkers(.followers(qwinker.id), of: qwinker))
  }

  /// Whom they follow.
  private static let followed = QwinkerCommand(.following, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinkers(.following(qwinker.id), of: qwinker))
  }

  /// Opens what they say of themselves leads to; where that is several things, asks which.
  private static let openLink = QwinkerCommand(.openLink, needsAccount: false) { qwinker, context in
    context.links.open(qwinker, over: context.navigator)
  }

  /// Copies the address of their page, for whoever wants to pass it on.
  private static let copyLink = QwinkerCommand(.copyLink, needsAccount: false) { qwinker, context in
    context.links.copy(qwinker)
  }
}
