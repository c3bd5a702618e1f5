import TerminalTesting

/// What somebody hears who has text appended in place of a screen.
extension Screen {
  /// All that was said so far.
  var said: String { driver.appended.joined() }

  /// What is said while `act` goes on.
  func hearing(_ act: @MainActor () async -> Void) async -> String {
    let before = driver.appended.count
    await act()
    return driver.appended.dropFirst(before).joined()
  }

  /// What is said to these keys, and to what they set off.
  func hear(_ keys: String...) async -> String {
    await hearing {
      for key in keys { await press(key) }
    }
  }
}

extension String {
  /// How often `words` stand in it.
  func count(of words: String) -> Int { ranges(of: words).count }
}
