import Timekeeping

extension Duration {
  /// The duration rounded up, for messages about waiting: `12 seconds`.
  var waitInWords: String {
    let seconds = secondsToWait
    if seconds < 60 { return seconds == 1 ? "a second" : "\(seconds) seconds" }
    let minutes = (seconds + 59) / 60
    return minutes == 1 ? "a minute" : "\(minutes) minutes"
  }
}
