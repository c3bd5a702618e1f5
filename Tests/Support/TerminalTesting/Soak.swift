import Foundation

/// How long the long tests are: `make test` takes a seeded sample of each, `make soak` the whole.
public enum Soak {
  /// Whether this is a soak.
  public static let isOn = ProcessInfo.processInfo.environment["QWINKLE_SOAK"] != nil

  /// `sample` runs, or `times` as many in a soak.
  public static func runs(_ sample: Int, times: Int = 50) -> Int {
    isOn ? sample * times : sample
  }
}
