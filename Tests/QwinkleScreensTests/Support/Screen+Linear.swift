import TerminalTesting
import Testing

/// What a user of linear mode hears.
extension Screen {
  /// Everything said so far.
  var said: String { driver.appended.joined() }

  /// What is said while `act` runs.
  func hearing(_ act: @MainActor () async -> Void) async -> String {
    let before = driver.appended.count
    await act()
    return driver.appended.dropFirst(before).joined()
  }

  /// What is said after these keys and their effects.
  func hear(_ keys: String...) async -> String {
    await hearing {
      for key in keys { await press(key) }
    }
  }
}

extension String {
  /// The number of occurrences of `words`.
  func count(of words: String) -> Int { ranges(of: words).count }
}
