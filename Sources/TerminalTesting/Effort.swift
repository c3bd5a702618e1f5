#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How much work something is, in time of the processor that this thread had: others who are busy don't count. Good for
/// comparing two works in one run, and for nothing else.
@MainActor
public enum Effort {
  /// Seconds that `work` took, the least of several runs. `prepare` makes what it works on, and does not count.
  public static func least<Subject>(
    runs: Int = 5, prepare: () throws -> Subject, _ work: (Subject) throws -> Void
  ) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<runs {
      let subject = try prepare()
      let start = now()
      try work(subject)
      least = min(least, now() - start)
    }
    return least
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}
