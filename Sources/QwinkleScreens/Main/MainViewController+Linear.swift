import PaneKit
import QwinkleAccount

/// In linear form, which is for screen readers, these texts are announced in addition to the texts of the header and
/// the status bar.
extension MainViewController {
  var saidTexts: [LinearText] {
    [LinearText(.greeting, [greeting])] + (unreadElsewhere.isEmpty ? [] : [LinearText(.status, [unreadElsewhere])])
  }

  /// The current section and the most important keys.
  private var greeting: String {
    let actions: [Action] = [.listNext, .listPrevious, .open] + (account.isSignedIn ? [.compose] : []) + [.help]
    let inForce = keysInForce
    var keys = actions.compactMap { action in
      inForce.hint(for: action).map { "\($0.key) \($0.word)" }
    }
    if let quit = keymap.binding(of: .askToQuit) { keys.append(MainWords.quitHint(quit.keyName)) }
    return MainWords.greeting(in: router.section, isSignedIn: account.isSignedIn, keys: keys)
  }

  /// The unread counts of other sections.
  private var unreadElsewhere: String {
    MainWords.unread(
      router.sections.filter { $0 != router.section }.map { ($0, count: $0.isPersonal ? unread[$0].count : 0) })
  }
}
