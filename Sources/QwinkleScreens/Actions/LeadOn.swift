import PaneKit
import QwinkleAccount
import QwinkleModel

/// Commands that show or copy something related to a qwink.
extension QwinkCommand {
  static let leading = [
    viewPictures, play, reveal, openLink, openFirstLink, copyLink, parent, boosters, favouriters, quotes, history,
  ]

  /// Shows the qwink's pictures at the size of the pane.
  private static let viewPictures = QwinkCommand(
    .viewPictures, prompt: "view-pictures", needsAccount: false, worksElsewhere: true,
    refusing: { qwink, _ in qwink.attachments.isEmpty ? PictureWords.none : nil }
  ) { qwink, context in
    context.navigator.show(.pictures(qwink))
  }

  /// Plays the qwink's video or sound in another program. If there are several, a sheet lists them.
  private static let play = QwinkCommand(
    .play, prompt: "play", needsAccount: false,
    refusing: { qwink, _ in qwink.attachments.contains(where: \.isPlayed) ? nil : PictureWords.nothingToPlay }
  ) { qwink, context in
    context.links.play(qwink, over: context.navigator)
  }

  /// Shows or hides the text behind a content warning, and sensitive pictures.
  private static let reveal = QwinkCommand(
    .reveal, prompt: "reveal", needsAccount: false, worksElsewhere: true,
    refusing: { qwink, account in
      let isCovered = account.disclosure(of: qwink, in: nil).cover != nil
      return isCovered || (qwink.isSensitive && !qwink.attachments.isEmpty) ? nil : IgnoredKeyWords.noWarning
    }
  ) { qwink, context in
    context.account.timelines.toggleReveal(qwink)
  }

  /// Opens the qwink's only link, mention or tag. If there are several, or the link's text is misleading, a sheet lists
  /// them. If a warning or a filter covers the text, shows a message instead.
  private static let openLink = QwinkCommand(.openLink, prompt: "open-link", needsAccount: false, worksElsewhere: true)
  { qwink, context in
    context.links.open(qwink, over: context.navigator)
  }

  /// Opens the first link that ``openLink`` lists.
  private static let openFirstLink = QwinkCommand(
    .openFirstLink, prompt: "open-first-link", needsAccount: false, worksElsewhere: true
  ) {
    qwink, context in
    context.links.open(qwink, choice: .first, over: context.navigator)
  }

  /// Copies the qwink's address for sharing.
  private static let copyLink = QwinkCommand(.copyLink, prompt: "copy-link", needsAccount: false, worksElsewhere: true)
  { qwink, context in
    context.links.copy(qwink)
  }

  /// Shows the qwink's parent.
  private static let parent = QwinkCommand(
    .parent, prompt: "parent", needsAccount: false,
    refusing: { qwink, _ in qwink.inReplyTo == nil ? ActionWords.noParent : nil }
  ) { qwink, context in
    if let parent = qwink.inReplyTo { context.navigator.show(qwinkWith: parent) }
  }

  /// Lists the qwinkers who boosted the qwink.
  private static let boosters = QwinkCommand(
    .boosters, needsAccount: false,
    refusing: { qwink, _ in qwink.boostsCount > 0 ? nil : ActionWords.noBoosts }
  ) { qwink, context in
    context.navigator.show(.qwinkers(.boosters(qwink.originalID)))
  }

  /// Lists the qwinkers who favourited the qwink.
  private static let favouriters = QwinkCommand(
    .favouriters, needsAccount: false,
    refusing: { qwink, _ in qwink.favouritesCount > 0 ? nil : ActionWords.noFavourites }
  ) { qwink, context in
    context.navigator.show(.qwinkers(.favouriters(qwink.originalID)))
  }

  /// Lists the qwinks that quote this one.
  private static let quotes = QwinkCommand(.quotes) { qwink, context in
    context.navigator.show(.timeline(.quotes(of: qwink.originalID)))
  }

  /// Shows the qwink's edit history.
  private static let history = QwinkCommand(
    .history, needsAccount: false,
    refusing: { qwink, _ in qwink.editedAt == nil ? ActionWords.notEdited : nil }
  ) { qwink, context in
    context.navigator.show(.versions(qwink))
  }
}

/// Commands that show or copy something related to a qwinker.
extension QwinkerCommand {
  static let leading = [page, followers, followed, collections, openLink, openFirstLink, copyLink]

  /// Shows the qwinker's profile.
  private static let page = QwinkerCommand(.author, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinker(qwinker))
  }

  private static let followers = QwinkerCommand(.followers, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinkers(.followers(qwinker.id), of: qwinker))
  }

  /// Lists the qwinkers that this qwinker follows.
  private static let followed = QwinkerCommand(.following, needsAccount: false) { qwinker, context in
    context.navigator.show(.qwinkers(.following(qwinker.id), of: qwinker))
  }

  /// Lists the collections of accounts that the qwinker recommends.
  private static let collections = QwinkerCommand(.collections, needsAccount: false) { qwinker, context in
    context.navigator.show(.collections(of: qwinker))
  }

  /// Opens the only link of the qwinker's profile. If there are several links, or the link's text is misleading, a
  /// sheet lists them.
  private static let openLink = QwinkerCommand(.openLink, needsAccount: false) { qwinker, context in
    context.links.open(qwinker, over: context.navigator)
  }

  /// Opens the first link of the qwinker's profile.
  private static let openFirstLink = QwinkerCommand(.openFirstLink, needsAccount: false) { qwinker, context in
    context.links.open(qwinker, choice: .first, over: context.navigator)
  }

  /// Copies the profile's address for sharing.
  private static let copyLink = QwinkerCommand(.copyLink, needsAccount: false) { qwinker, context in
    context.links.copy(qwinker)
  }
}
