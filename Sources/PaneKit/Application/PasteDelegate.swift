/// Confirms large pastes, which may be accidental, and reports pastes that have no effect.
@MainActor
public protocol PasteDelegate: AnyObject {
  /// Called when the user pastes a large text. Call `paste` to insert the text. The default does so without asking.
  func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void)
  /// Called when no responder accepts the pasted text.
  func applicationDidIgnorePaste(_ application: Application)
  /// Called when the end of a paste hasn't arrived for a while. Until it arrives or ^C discards the paste, keys that
  /// the user presses are treated as pasted text.
  func applicationDidStallPaste(_ application: Application)
}

extension PasteDelegate {
  public func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void
  ) { paste() }
  public func applicationDidIgnorePaste(_ application: Application) {}
  public func applicationDidStallPaste(_ application: Application) {}
}
