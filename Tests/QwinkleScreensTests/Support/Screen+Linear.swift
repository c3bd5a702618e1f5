import TerminalTesting
import Testing

/// Speech output in linear mode.
extension Screen {
  /// All text spoken so far.
  var said: String { driver.appended.joined() }

  /// Returns the text spoken while `act` runs.
  func hearing(_ act: @MainActor () async -> Void) async -> String {
    let before = driver.appended.count
    await act()
    return driver.appended.dropFirst(before).joined()
  }

  /// Presses keys and returns the text spoken in response.
  func hear(_ keys: String...) async -> String {
    await hearing {
      for key in keys { await press(key) }
    }
  }
}

extension String {
  /// Returns the number of occurrences of `words`.
  func count(of words: String) -> Int { ranges(of: words).count }
}
