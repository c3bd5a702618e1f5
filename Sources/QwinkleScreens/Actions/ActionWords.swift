import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel

/// Status bar messages of key commands.
enum ActionWords {
  // MARK: Reactions and follows

  /// Returns a result with the key that undoes it.
  static func undoable(_ result: String) -> String { "\(result) · \(Action.undo.key): undo" }

  /// Returns a result with the keys that undo it while a text field is focused. The first key leaves the field.
  static func undoableOutside(_ result: String) -> String {
    "\(result) · \(Action.chatLeave.key) \(Action.undo.key): undo"
  }

  static func reacted(_ reaction: Reaction, isOn: Bool) -> String {
    let isNewBookmark = reaction == .bookmark && isOn
    return reaction.sentence(isOn: isOn) + (isNewBookmark ? " · \(Action.sectionBookmarks.key) lists them" : "")
  }

  /// Returns key hints for the reactions that the user has already added to `qwink`. Their keys remove them.
  static func hints(for qwink: Qwink) -> [Action: String] {
    Dictionary(uniqueKeysWithValues: Reaction.allCases.filter(qwink.has).map { ($0.action, $0.undoing) })
  }

  static func cannotBoost(_ visibility: Visibility) -> String {
    visibility == .direct
      ? "Direct messages can't be boosted." : "Followers-only posts can be boosted only by their author."
  }

  static let cannotFollowYourself = "You can't follow yourself."

  static func refuseQuestion(_ qwinker: Qwinker) -> String { "Refuse the follow request of @\(qwinker.handle)?" }

  static func answering(_ qwinker: Qwinker, accepts: Bool) -> String {
    "\(accepts ? "Accepting" : "Refusing") @\(qwinker.handle)…"
  }

  /// Returns the message after muting or unmuting a qwinker. `seconds` is the length of the mute; 0 for a permanent
  /// mute.
  static func muted(_ qwinker: Qwinker, _ isOn: Bool, seconds: Int) -> String {
    guard isOn else { return "Unmuted @\(qwinker.handle)" }
    return "Muted @\(qwinker.handle)\(seconds > 0 ? " for \(time(seconds))" : "")"
  }

  /// Returns a text such as `8 hours`, in the largest unit that divides `seconds`.
  static func time(_ seconds: Int) -> String {
    let units = [(604_800, "week"), (86_400, "day"), (3600, "hour"), (60, "minute")]
    let (size, word) = units.first { seconds % $0.0 == 0 } ?? (1, "second")
    return Counted.words(seconds / size, word)
  }

  static func blocked(_ qwinker: Qwinker, _ isOn: Bool) -> String {
    "\(isOn ? "Blocked" : "Unblocked") @\(qwinker.handle)"
  }

  static func blocked(server host: String, _ isOn: Bool) -> String { "\(isOn ? "Blocked" : "Unblocked") \(host)" }

  static func blockQuestion(_ qwinker: Qwinker) -> String {
    "Block @\(qwinker.handle)? Neither of you will follow or see the other."
  }

  static let cannotReportYourself = "You can't report yourself."

  /// Returns a hint about the text to type after pressing the key that reports a qwink or a qwinker.
  static func reportHint(_ qwinker: Qwinker, isOfQwink: Bool, rules: [ServerRule]?) -> String {
    let subject = isOfQwink ? "a post of @\(qwinker.handle)" : "@\(qwinker.handle)"
    let count = rules?.count ?? 0
    let rule = count == 0 ? "" : "\(TypedReport.ruleWord) \(count == 1 ? "1" : "1–\(count)"), "
    return "Report \(subject): spam, legal, \(rule)violation or other, then a comment"
      + " · \(Action.promptLeave.key) sends nothing"
  }

  // MARK: Polls and threads

  static let noPoll = "No poll here"

  /// Returns the reason why the user can't vote, if any. Servers report the author of a poll as a voter.
  static func cannotVote(in poll: Poll, isOwn: Bool, at now: Date) -> String? {
    if isOwn { return "You can't vote in your own poll" }
    return poll.isClosed(at: now) ? "The poll is closed" : poll.hasVoted ? "You have voted already" : nil
  }

  /// Returns a message about numbers that aren't an answer to the poll.
  static func invalidVote(in poll: Poll) -> String {
    "Type \(poll.allowsSeveral ? "numbers" : "one number") from 1 to \(poll.options.count): \(options(of: poll))"
  }

  /// Returns the numbered options, for the command line.
  static func options(of poll: Poll) -> String {
    let options = poll.options.enumerated().map { "\($0.offset + 1) \($0.element.title)" }.joined(separator: " · ")
    return poll.allowsSeveral ? "\(options) · several numbers are possible" : options
  }

  static func threadMuted(_ isOn: Bool) -> String { isOn ? "Thread muted" : "Thread unmuted" }

  // MARK: Your own qwinks

  static let cannotPin = "You can pin only your own posts."

  static func pinned(_ isOn: Bool) -> String { isOn ? "Pinned to your profile" : "Unpinned" }

  static let cannotEdit = "You can edit only your own posts."
  static let cannotDelete = "You can delete only your own posts."

  static func deleteQuestion(hasReplies: Bool) -> String {
    "Delete this post for good?" + (hasReplies ? " Replies stay." : "")
  }

  static let redraftQuestion = "Delete this post and write it again? Its boosts and favourites are lost."

  /// Returns the question to ask before redrafting, if posting the qwink again would lose some of its content.
  static func redraftQuestion(losing losses: [RedraftLoss]) -> String {
    "Posting it again loses \(losses.sentencePart). Delete it anyway?"
  }

  static let redrafting = "Deleting…"
  /// Shown if the user left the screen before the qwink was deleted, so that its draft isn't opened.
  static let redrafted = "Deleted · \(Action.showDrafts.key) lists its draft"

  // MARK: Around a qwink

  static let noParent = "Not a reply"
  static let noBoosts = "No boosts yet"
  static let noFavourites = "No favourites yet"
  static let notEdited = "Never edited"
}
