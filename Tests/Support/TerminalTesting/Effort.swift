import LibC

/// Processor time of the current thread, so that other load on the machine doesn't count. Only for comparisons within
/// one run.
public enum Effort {
  /// Returns how many times longer `work` takes on a subject four times the size: about 4 if the time is linear, 16 if
  /// it is quadratic. A bound of 9 distinguishes them. Measures up to five times, until the result is below `bound`.
  public static func growth<Subject>(
    from size: Int, below bound: Double = 6, prepare: (Int) throws -> Subject, _ work: (Subject) throws -> Void
  ) rethrows -> Double {
    var growth = Double.infinity
    // Another process may evict the caches in one round, but hardly in all.
    for _ in 0..<5 where growth >= bound {
      let small = try least(runs: 3, prepare: { try prepare(size) }, work)
      let large = try least(runs: 3, prepare: { try prepare(4 * size) }, work)
      // Below a tenth of a millisecond the clock's error dominates.
      growth = min(growth, large / max(small, 0.000_1))
    }
    return growth
  }

  /// Returns the shortest time of several runs of `work`, in seconds. `prepare` creates the subject and isn't measured.
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
