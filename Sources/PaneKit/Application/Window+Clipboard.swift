import Terminal

extension Window {
  /// Puts `text` into the terminal's clipboard. Returns whether the terminal was asked to; it does not say whether it
  /// did.
  public func copy(_ text: String) -> Bool {
    application?.driver.copy(text) ?? false
  }
}
