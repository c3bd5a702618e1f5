public import PaneKit
public import QwinkleModel

/// A screen that others can lead to.
public enum Place: Hashable, Sendable {
  /// A qwink with what it answers and what answers it.
  case thread(Qwink)
  case qwinker(Qwinker)
  case timeline(TimelineName)
  /// A list of qwinkers, and whose it is where it is somebody's.
  case qwinkers(QwinkerListName, of: Qwinker? = nil)
  /// What a qwink said at each time.
  case versions(Qwink)
  case conversation(Conversation)
  case search(String)
}

/// What a screen can ask of the whole it is a part of. Held weakly.
@MainActor
public protocol Navigator: AnyObject {
  /// Leads to another screen; `back` returns.
  func show(_ place: Place)
  /// Leads to a qwink of which only the id is known.
  func show(qwinkWith id: Qwink.ID)
  /// Gives a question to be asked when an answer has come: whether the reader is still where they were when this was
  /// called. What somebody asked for elsewhere must not take them from where they are.
  func whileHere() -> @MainActor () -> Bool
  /// Opens the entry.
  func write(_ purpose: EntryPurpose)
  /// Says something in the status bar for a few seconds.
  func say(_ text: String, _ role: StyleRole)
  /// The same, but no longer than it is so.
  func say(_ text: String, _ role: StyleRole, while isSo: @escaping @MainActor () -> Bool)
  /// What was said may have ceased to be so.
  func wordsMayHaveChanged()
  /// Puts `text`, in ASCII or cleaned, into the terminal's clipboard, and shows it: not every terminal lets it be.
  func copy(_ text: String)
  /// The same for an address, behind a sentence that says why.
  func copy(_ address: String, after sentence: String)
  /// Asks a question with yes and no. `again` is the key that led here and means yes too; nil where it must not, as it
  /// could be held down.
  func ask(_ question: String, again: Character?, confirmed: @escaping @MainActor () -> Void)
  /// Ends the program; asks first where something that was written is on its way.
  func quit()
  /// Another row is selected in a screen, or what stands in it has changed.
  func selectionDidChange(in screen: any Screen)
  /// What a screen's status says has changed.
  func statusDidChange(of screen: any Screen)
}

extension Navigator {
  public func say(_ text: String, _ role: StyleRole, while isSo: @escaping @MainActor () -> Bool) { say(text, role) }
  public func wordsMayHaveChanged() {}
}
