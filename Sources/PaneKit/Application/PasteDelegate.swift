/// Confirms large pastes, which may be accidental, and reports pastes that have no effect.
@MainActor
public protocol PasteDelegate: AnyObject {
  /// Called when the user pastes a large text. Call `paste` to accept it, as the default does.
  func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void)
  /// Called when no responder accepts the pasted text.
  func applicationDidIgnorePaste(_ application: Application)
  /// Called when a paste doesn't end. Keys count as pasted text until ^C discards the paste.
  func applicationDidStallPaste(_ application: Application)
}

extension PasteDelegate {
  public func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void
  ) { paste() }
  public func applicationDidIgnorePaste(_ application: Application) {}
  public func applicationDidStallPaste(_ application: Application) {}
}
