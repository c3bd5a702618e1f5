public import PaneKit
public import QwinkleModel

/// What a screen can ask of the whole program. Held weakly.
@MainActor
public protocol Navigator: AnyObject {
  /// Opens another screen; `back` returns.
  func show(_ place: Place)
  /// The same in place of `screen`.
  func show(_ place: Place, insteadOf screen: any Screen)
  /// Opens a qwink of which only the id is known.
  func show(qwinkWith id: Qwink.ID)
  /// Returns a check for late answers: is the same screen still in front? An answer that comes late must not take the
  /// reader elsewhere.
  func whileHere() -> @MainActor () -> Bool
  /// Opens an entry for `purpose`.
  func write(_ purpose: EntryPurpose)
  /// Opens an entry again that was discarded.
  func reopen(_ discarded: DiscardedEntry)
  /// Shows a message in the status bar for a few seconds.
  func say(_ text: String, _ role: StyleRole)
  /// The same, but only while `isSo` holds.
  func say(_ text: String, _ role: StyleRole, while isSo: @escaping @MainActor () -> Bool)
  /// Call when a message may be out of date.
  func wordsMayHaveChanged()
  /// Copies `text`, in ASCII or cleaned, to the terminal's clipboard, and shows it: not every terminal allows that.
  func copy(_ text: String)
  /// The same for an address, after a sentence that says why.
  func copy(_ address: String, after sentence: String)
  /// Asks a yes-or-no question. `again`, the key that led here, also means yes; nil if it must not, as it could be held
  /// down.
  func ask(_ question: String, again: Character?, confirmed: @escaping @MainActor () -> Void)
  /// Begins a command of the prompt, which the user completes. `hint` tells what with.
  func type(_ line: String, hint: String)
  /// Ends the program; asks first while something written is on its way.
  func quit()
  /// Call when another row is selected in a screen, or the selected one has changed.
  func selectionDidChange(in screen: any Screen)
  /// Call when a screen's status has changed.
  func statusDidChange(of screen: any Screen)
}

extension Navigator {
  public func show(_ place: Place, insteadOf screen: any Screen) { show(place) }
  public func say(_ text: String, _ role: StyleRole, while isSo: @escaping @MainActor () -> Bool) { say(text, role) }
  public func wordsMayHaveChanged() {}
  public func type(_ line: String, hint: String) {}
  public func reopen(_ discarded: DiscardedEntry) {}
}
