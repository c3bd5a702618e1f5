import PaneKit
import QwinkleModel
import Timekeeping

/// General texts of the status bar, and the questions about quitting.
@MainActor
enum MainWords {
  // MARK: Results

  static let deleted = "Deleted"
  static let openingQwink = "Opening the post…"
  nonisolated static let cannotDelete = "Not deleted: this server can't delete posts."
  static let nothingToUndo = "Nothing to undo"
  static let nothingUnread = "Nothing else unread"
  static func retries(in wait: Duration) -> String {
    "Tried a moment ago. Retrying in \(wait.secondsToWait) s."
  }
  /// Precedes the copied text.
  static let copied = "Copied, if this terminal allows it"
  /// Precedes a link that could not be copied.
  static let link = "Link"

  /// Reports the end of a follow request. `accepted` is nil if the request was withdrawn or answered elsewhere.
  static func requestAnswered(of qwinker: Qwinker, accepted: Bool?) -> String {
    let name = "@\(qwinker.handle)"
    return switch accepted {
    case true: "\(name) follows you now"
    case false: "Follow request of \(name) refused"
    case nil: "\(name) no longer asks to follow you."
    }
  }

  /// Hint for the key that begins the pane commands.
  static let panes = "panes"

  // MARK: Missing objects

  static let thisNeedsAccount = "This needs an account: qwinkle login URL signs in."
  static let writingNeedsAccount = "Writing needs an account: qwinkle login URL signs in."

  /// Explains why a section isn't available.
  static func isMissing(_ section: Section) -> String {
    section == .views ? SavedSearchWords.noViews : needsAccount(section)
  }

  static func needsAccount(_ section: Section) -> String {
    let verb =
      switch section {
      case .messages, .notifications, .bookmarks: "need"
      case .public, .home, .search, .views: "needs"
      }
    return "\(section.title) \(verb) an account: qwinkle login URL signs in."
  }

  static var noRoomForMessages: String {
    "The messages pane needs \(SizeClass.wide.minimumColumns) columns, or 80 columns and 30 rows. "
      + "\(Action.sectionMessages.key) opens your messages."
  }

  static let noRoomForPane = "There is no room for another pane."
  static let nothingForPane = "All sections are visible already. Open a tag, list or profile, then split the pane."
  static let isOnlyPane = "This is the only pane."

  // MARK: Questions

  static let yes = "yes"
  static let no = "no"
  /// Added to a question after the user pressed a key that isn't an answer.
  static let pressAnswer = "Press y or n."

  // MARK: Quitting

  /// Shown when a back key has nothing to go back to.
  static let quitKey = "\(Action.askToQuit.key) quits"

  /// Shown after the first ^C.
  static func interrupted(inProgress: String) -> String {
    "\(Action.interrupt.key) again quits\(inProgress.isEmpty ? "" : " without waiting for \(inProgress)")."
  }

  static let quitQwinkle = "Quit Qwinkle?"

  /// Returns the question to confirm quitting. `held` is the text of ``PendingWords/quitting(_:)``: whether the pending
  /// actions are performed or cancelled.
  static func quitQuestion(hasUnsaved: Bool, inProgress: String, held: String) -> String {
    if hasUnsaved { return "A draft could not be saved and would be lost. Quit anyway?" }
    let question = inProgress.isEmpty ? quitQwinkle : "Still sending: \(inProgress). Quit when done?"
    return held.isEmpty ? question : "\(held) \(question)"
  }

  /// Asked after the user quits, while requests are still in progress.
  static func waitingQuestion(_ inProgress: String) -> String {
    "Waiting for \(inProgress). Quit without waiting?"
  }

  // MARK: Linear form

  /// Spoken at startup: the section and the most important keys.
  static func greeting(in section: Section, isSignedIn: Bool, keys: [String]) -> String {
    let place = "\(section.number) \(section.title)\(isSignedIn ? "" : ", \(HeaderWords.signedOut)")"
    return "Qwinkle, \(place). \(keys.joined(separator: ", "))."
  }

  static func quitHint(_ key: String) -> String { "\(key) quit" }

  /// Unread counts of other sections; empty if nothing is unread.
  static func unread(_ counts: [(section: Section, count: Int)]) -> String {
    let parts = counts.filter { $0.count > 0 }.map { "\($0.count) in \($0.section.title)" }
    return parts.isEmpty ? "" : "Unread: \(parts.joined(separator: ", "))."
  }
}
