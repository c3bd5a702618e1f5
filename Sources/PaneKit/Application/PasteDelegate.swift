/// Confirms large pastes, which may be accidental, and reports pastes that have no effect.
@MainActor
public protocol PasteDelegate: AnyObject {
  /// Called when the user pastes a large text. Call `paste` to insert the text.
  func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void)
  /// Called when no responder accepts the pasted text.
  func applicationDidIgnorePaste(_ application: Application)
  /// Called when the end of a paste hasn't arrived for a while. Until it arrives or ^C discards the paste, keys that
  /// the user presses are treated as pasted text.
  func applicationDidStallPaste(_ application: Application)
}
