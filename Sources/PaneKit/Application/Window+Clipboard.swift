import Terminal

extension Window {
  /// Copies `text` to the terminal's clipboard. Returns whether the request was sent; terminals don't confirm it.
  public func copy(_ text: String) -> Bool {
    application?.driver.copy(text) ?? false
  }
}
