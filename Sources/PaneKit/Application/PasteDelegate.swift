/// Decides about pastes that somebody may not have meant, and tells of those that do nothing.
@MainActor
public protocol PasteDelegate: AnyObject {
  /// A large text was pasted. Calls `paste` where it is wanted. The default calls it without asking.
  func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void)
  /// No responder takes the pasted text.
  func applicationDidIgnorePaste(_ application: Application)
  /// A paste has begun and does not end: keys belong to it until ^C drops it.
  func applicationDidStallPaste(_ application: Application)
}

extension PasteDelegate {
  public func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void
  ) { paste() }
  public func applicationDidIgnorePaste(_ application: Application) {}
  public func applicationDidStallPaste(_ application: Application) {}
}
