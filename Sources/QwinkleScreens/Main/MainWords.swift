import PaneKit
import QwinkleModel
import Timekeeping

/// What the status bar and the questions about quitting say for the program as a whole.
@MainActor
enum MainWords {
  // MARK: What has happened

  static let deleted = "Deleted"
  static let openingQwink = "Opening the qwink…"
  nonisolated static let cannotDelete = "Not deleted: this server can't delete qwinks."
  static let nothingToUndo = "Nothing to undo"
  static let nothingUnread = "Nothing else unread"
  static func retries(in wait: Duration) -> String {
    "Tried a moment ago. Retrying in \(wait.secondsToWait) s."
  }
  /// Stands before what was copied.
  static let copied = "Copied, if this terminal allows it"
  /// Stands before a link that could not be copied.
  static let link = "Link"

  /// The end of a follow request; `accepted` is nil if it was withdrawn, or answered elsewhere.
  static func requestAnswered(of qwinker: Qwinker, accepted: Bool?) -> String {
    let name = "@\(qwinker.handle)"
    return switch accepted {
    case true: "\(name) follows you now"
    case false: "Follow request of \(name) refused"
    case nil: "\(name) no longer asks to follow you."
    }
  }

  /// After the key that begins all that concerns panes.
  static let panes = "panes"

  // MARK: What is missing

  static let thisNeedsAccount = "This needs an account: qwinkle login URL signs in."
  static let writingNeedsAccount = "Writing needs an account: qwinkle login URL signs in."

  /// Why a section is not there.
  static func isMissing(_ section: Section) -> String {
    section == .views ? RuleViewWords.noViews : needsAccount(section)
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
    "The messages pane needs \(PanesViewController.minimumColumns) columns. "
      + "\(Action.sectionMessages.key) opens your messages."
  }

  // MARK: Questions

  static let yes = "yes"
  static let no = "no"
  /// Follows a question after a key that is no answer.
  static let pressAnswer = "Press y or n."

  // MARK: Quitting

  /// After a key that goes back, where there is nothing to go back to.
  static let quitKey = "\(Action.askToQuit.key) quits"

  /// After the first ^C.
  static func interrupted(underWay: String) -> String {
    "\(Action.interrupt.key) again quits\(underWay.isEmpty ? "" : " without waiting for \(underWay)")."
  }

  static let quitQwinkle = "Quit Qwinkle?"

  /// `held` says what becomes of what is held.
  static func quitQuestion(hasUnsaved: Bool, underWay: String, held: String) -> String {
    if hasUnsaved { return "A draft could not be saved and would be lost. Quit anyway?" }
    let question = underWay.isEmpty ? quitQwinkle : "Still sending: \(underWay). Quit when done?"
    return held.isEmpty ? question : "\(held) \(question)"
  }

  /// While quitting waits for what is under way.
  static func waitingQuestion(_ underWay: String) -> String {
    "Waiting for \(underWay). Quit without waiting?"
  }

  // MARK: Linear form

  /// Where one is at the start, and enough keys to go on.
  static func greeting(in section: Section, isSignedIn: Bool, keys: [String]) -> String {
    let place = "\(section.number) \(section.title)\(isSignedIn ? "" : ", \(HeaderWords.signedOut)")"
    return "Qwinkle, \(place). \(keys.joined(separator: ", "))."
  }

  static func quitHint(_ key: String) -> String { "\(key) quit" }

  /// What is unread in other sections; empty if nothing is.
  static func unread(_ counts: [(section: Section, count: Int)]) -> String {
    let parts = counts.filter { $0.count > 0 }.map { "\($0.count) in \($0.section.title)" }
    return parts.isEmpty ? "" : "Unread: \(parts.joined(separator: ", "))."
  }
}
