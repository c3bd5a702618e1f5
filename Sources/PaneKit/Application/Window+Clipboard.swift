import Terminal

extension Window {
  /// Puts `text` into the terminal's clipboard, for a key that was pressed. Returns whether the terminal was asked to;
  /// whether it lets itself be asked nobody can know.
  public func copy(_ text: String) -> Bool {
    application?.driver.copy(text) ?? false
  }
}
