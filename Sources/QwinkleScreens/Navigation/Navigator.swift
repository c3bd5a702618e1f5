public import QwinkleModel
public import Terminal

/// Program-wide actions that a screen can request. Screens have a weak reference to the navigator.
@MainActor
public protocol Navigator: Reporter {
  /// Opens another screen, unless it is already in front. The back key returns.
  func show(_ place: Place)
  /// Opens another screen in place of `screen`. If `screen` isn't in front, opens the other screen above the front
  /// screen.
  func show(_ place: Place, insteadOf screen: any Screen)
  /// Fetches the qwink with this ID and opens its thread, unless the reader has moved to another screen by then.
  func show(qwinkWith id: Qwink.ID)
  /// Finds the user's server's copy of `foreign`, a qwink of another server that is a row of `screen`. Passes the copy
  /// to the screen and, unless the reader has moved to another screen by then, to `act`. Shows a message while the
  /// search runs, and if it finds nothing.
  func find(_ foreign: Qwink, on screen: any Screen, then act: @escaping @MainActor (Qwink) -> Void)
  /// Opens a link that was clicked in the selected row of `screen`.
  func open(_ link: TextLink, in screen: any Screen)
  /// Returns a function that checks whether the current front screen is still in front. Call the function before
  /// opening a screen for a late response, so that a reader who has moved on isn't interrupted.
  func whileHere() -> @MainActor () -> Bool
  /// Opens an entry (an editor for a qwink) for `purpose`, such as a reply. Shows a message instead if the user isn't
  /// signed in.
  func write(_ purpose: EntryPurpose)
  /// Reopens a discarded entry.
  func reopen(_ discarded: DiscardedEntry)
  /// Copies `text` to the terminal's clipboard and shows it, because not every terminal allows copying. `text` must be
  /// ASCII or sanitized.
  func copy(_ text: String)
  /// Copies an address and shows it after `sentence`, the reason that the address wasn't opened.
  func copy(_ address: String, after sentence: String)
  /// Shows a yes-or-no question. `again` is the key that led to the question; pressing it a second time also means yes.
  /// Pass nil if the user must press `y`, because they may be holding the key down.
  func ask(_ question: String, again: Character?, confirmed: @escaping @MainActor () -> Void)
  /// Opens the prompt with the beginning of a command, which the user completes. `hint` describes the missing part.
  func type(_ line: String, hint: String)
  /// Lists, shows or saves an arrangement of panes.
  func perform(_ command: LayoutCommand)
  /// Quits the program once requests in progress are finished, or earlier if the user chooses not to wait. If a draft
  /// could not be saved, the user must confirm first.
  func quit()
  /// Call when a screen selects another row, or when the content of its selected row changes.
  func selectionDidChange(in screen: any Screen)
  /// Call when the user has opened or closed the detail of a list, which may need more room.
  func detailDidOpenOrClose()
  /// Call when a screen's status has changed.
  func statusDidChange(of screen: any Screen)
}
