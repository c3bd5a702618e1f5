import Terminal

extension Window {
  /// Copies `text` to the terminal's clipboard. Returns whether the request was sent to the terminal. Terminals don't
  /// confirm such requests.
  public func copy(_ text: String) -> Bool {
    application?.driver.copy(text) ?? false
  }
}
