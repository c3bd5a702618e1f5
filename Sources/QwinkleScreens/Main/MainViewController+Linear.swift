import PaneKit
import QwinkleAccount

/// What is said besides what the bars say, where text is only appended.
extension MainViewController {
  var saidTexts: [LinearText] {
    [LinearText(.greeting, [greeting])] + (unread.isEmpty ? [] : [LinearText(.status, [unread])])
  }

  /// Where one is at the start, and enough keys to go on.
  private var greeting: String {
    let actions: [Action] = [.listNext, .listPrevious, .open] + (account.isSignedIn ? [.compose] : []) + [.help]
    let inForce = keysInForce
    var keys = actions.compactMap { action in
      inForce.hint(for: action).map { "\($0.key) \($0.word)" }
    }
    if let quit = keymap.binding(of: .askToQuit) { keys.append(MainWords.quitHint(quit.keyName)) }
    return MainWords.greeting(in: section, isSignedIn: account.isSignedIn, keys: keys)
  }

  /// What waits elsewhere.
  private var unread: String {
    MainWords.unread(sections.filter { $0 != section }.map { (section: $0, count: unreadCount(in: $0)) })
  }
}
