/// A benchmark that compares two costs.
@MainActor
protocol Bench {
  /// Measures, and prints the result.
  func run()
}

/// Returns the median time of `body` over `count` runs, in microseconds.
@MainActor
func median(_ count: Int = 200, _ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  let times = (0..<count).map { _ in clock.measure(body) }.sorted()
  let (seconds, attoseconds) = times[count / 2].components
  return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
}

/// Prints one line with both times and their ratio.
func report(_ what: String, _ measured: Double, _ reference: String, _ time: Double) {
  func words(_ microseconds: Double) -> String {
    "\((microseconds * 10).rounded() / 10) µs"
  }
  let ratio = time > 0 ? measured / time : 0
  print("\(what): \(words(measured)); \(reference): \(words(time)); ratio \((ratio * 100).rounded() / 100)")
}
