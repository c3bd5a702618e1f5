import PaneKit
import QwinkleAccount

/// In linear form, which is for screen readers, these texts are announced in addition to the texts of the header and
/// the status bar.
extension MainViewController {
  var saidTexts: [LinearText] {
    [LinearText(.greeting, [greeting])] + (unread.isEmpty ? [] : [LinearText(.status, [unread])])
  }

  /// The current section and the most important keys.
  private var greeting: String {
    let actions: [Action] = [.listNext, .listPrevious, .open] + (account.isSignedIn ? [.compose] : []) + [.help]
    let inForce = keysInForce
    var keys = actions.compactMap { action in
      inForce.hint(for: action).map { "\($0.key) \($0.word)" }
    }
    if let quit = keymap.binding(of: .askToQuit) { keys.append(MainWords.quitHint(quit.keyName)) }
    return MainWords.greeting(in: section, isSignedIn: account.isSignedIn, keys: keys)
  }

  /// The unread counts of other sections.
  private var unread: String {
    MainWords.unread(sections.filter { $0 != section }.map { (section: $0, count: unreadCount(in: $0)) })
  }
}
