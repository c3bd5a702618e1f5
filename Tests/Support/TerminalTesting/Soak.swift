import Foundation

/// How long the long tests are: `make test` takes a seeded sample of each, `make soak` the whole.
public enum Soak {
  /// Whether this is a soak.
  public static let isOn = ProcessInfo.processInfo.environment["QWINKLE_SOAK"] != nil

  /// The seeds 1, 2, … of that many runs; the one of `QWINKLE_SEED` alone where a failure is repeated.
  public static func seeds(_ sample: Int, times: Int = 50) -> [UInt64] {
    if let one = ProcessInfo.processInfo.environment["QWINKLE_SEED"].flatMap(UInt64.init) { return [one] }
    return (1...runs(sample, times: times)).map(UInt64.init)
  }

  /// `sample` runs, or `times` as many in a soak.
  public static func runs(_ sample: Int, times: Int = 50) -> Int {
    isOn ? sample * times : sample
  }
}
