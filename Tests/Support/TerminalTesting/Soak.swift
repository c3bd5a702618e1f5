import Foundation
public import Testing

/// The size of long tests. `make test` runs a sample of each, which differs from commit to commit; `make soak` runs
/// them in full.
public enum Soak {
  public static let isOn = ProcessInfo.processInfo.environment["QWINKLE_SOAK"] != nil

  /// The seed to repeat a failure with, if set.
  private static let one = number("QWINKLE_ONE_SEED")

  /// The first seed of this run's samples. `Tests/run` derives it from the commit; the default is 1.
  public static let seed = one ?? number("QWINKLE_SEED") ?? 1

  fileprivate static let minutes = 300

  /// Returns a seed for each run, counting up from ``seed``.
  public static func seeds(_ sample: Int, times: Int = 50) -> [UInt64] {
    if let one { return [one] }
    return (0..<runs(sample, times: times)).map { seed &+ UInt64($0) }
  }

  /// Returns `sample`, or `times` as many in a soak.
  public static func runs(_ sample: Int, times: Int = 50) -> Int {
    isOn ? sample * times : sample
  }

  /// Returns one of each `step` elements, which depends on ``seed``, or all elements in a soak. Isn't empty unless
  /// `all` is.
  public static func sample<Element>(_ all: [Element], of step: Int) -> [Element] {
    if isOn { return all }
    let chosen = stride(from: Int(seed % UInt64(step)), to: all.count, by: step).map { all[$0] }
    return chosen.isEmpty ? Array(all.prefix(1)) : chosen
  }

  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
  }
}

extension Trait where Self == TimeLimitTrait {
  /// The time limit of a suite whose tests wait: 5 minutes for each test, or 300 in a soak.
  public static var bounded: Self { .timeLimit(.minutes(Soak.isOn ? Soak.minutes : 5)) }
}
