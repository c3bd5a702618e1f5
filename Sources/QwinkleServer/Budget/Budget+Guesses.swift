import Synchronization
import Timekeeping

/// Failed attempts to sign in.
struct Guesses {
  fileprivate struct Key: Hashable {
    var name: String
    var client: Client
  }

  fileprivate struct Failures {
    var count = 0
    var last = Duration.zero
    /// Number of these failures that also count towards the name's limit for all clients together.
    var countOfName = 0
  }

  fileprivate var failures: [Key: Failures] = [:]
  fileprivate var byClient: [Client: Pace] = [:]
  fileprivate var byName: [String: Pace] = [:]
  /// Names that have signed in, with the client that they used.
  fileprivate var known: Set<Key> = []
  private var mostKnown = 1000

  /// Removes expired entries if there are many.
  fileprivate mutating func prune(at now: Duration) {
    guard failures.count > mostKnown else { return }
    failures = failures.filter { now - $0.value.last < Budget.guessesCountFor }
    byClient = byClient.filter { $0.value.emptyAt > now }
    byName = byName.filter { $0.value.emptyAt > now }
    mostKnown = max(1000, 2 * failures.count)
  }
}

/// Limits on password attempts.
///
/// - After ``freeGuesses`` failures for a name from the same client, each further attempt has to wait, longer every
///   time.
/// - A client has a limit for all names together.
/// - A name has a limit for all clients together. Once it is reached, each client gets a single attempt for the name.
///   The limit doesn't apply to a client from which the user has signed in before, so guessing from many addresses
///   doesn't lock the user out.
extension Budget {
  private static let freeGuesses = 5
  private static let firstWait = Duration.seconds(10)
  private static let longestWait = Duration.seconds(15 * 60)
  fileprivate static let guessesCountFor = Duration.seconds(60 * 60)
  private static let mostKnown = 10_000

  /// Counts an attempt as failed until ``guessSucceeded(_:_:)`` is called, so that simultaneous attempts all count. If
  /// no attempt is allowed now, counts nothing and returns the time to wait. Callers pass an empty name instead of an
  /// invalid name, so that all invalid names count together.
  func beginGuess(_ name: String, _ client: Client) -> Duration? {
    let wait = wait(forGuess: name, client)
    if wait != nil { refusals.add(.guesses) }
    return wait
  }

  private func wait(forGuess name: String, _ client: Client) -> Duration? {
    guard case .pace(let burst, let interval) = limit(of: .guesses) else { return nil }
    let now = clock.uptime
    let key = Guesses.Key(name: name, client: client)
    return guesses.withLock { guesses in
      guesses.prune(at: now)
      var failures = guesses.failures[key] ?? Guesses.Failures()
      if now - failures.last >= Self.guessesCountFor { failures.count = 0 }
      let wait = Self.wait(after: failures.count) - (now - failures.last)
      if failures.count > 0, wait > .zero { return wait }
      var ofClient = guesses.byClient[client] ?? Pace(burst: burst, interval: interval)
      guard ofClient.add(at: now) != nil else { return ofClient.wait(at: now) }
      if !name.isEmpty, !guesses.known.contains(key) {
        var ofName = guesses.byName[name] ?? Pace(burst: 200, interval: .seconds(18))
        if ofName.add(at: now) != nil {
          failures.countOfName += 1
        } else if failures.count > 0 {
          return ofName.wait(at: now)
        }
        guesses.byName[name] = ofName
      }
      guesses.byClient[client] = ofClient
      failures.last = now
      failures.count += 1
      guesses.failures[key] = failures
      return nil
    }
  }

  private static func wait(after failures: Int) -> Duration {
    guard failures >= freeGuesses else { return .zero }
    return min(firstWait * (1 << min(failures - freeGuesses, 10)), longestWait)
  }

  /// Removes an attempt from the counts because its password wasn't checked.
  func withdrawGuess(_ name: String, _ client: Client) {
    let key = Guesses.Key(name: name, client: client)
    guesses.withLock { guesses in
      Self.uncount(key, &guesses)
      if let count = guesses.failures[key]?.count { guesses.failures[key]?.count = max(0, count - 1) }
    }
  }

  /// Marks the attempt as successful and resets the name's failures from this client.
  func guessSucceeded(_ name: String, _ client: Client) {
    let key = Guesses.Key(name: name, client: client)
    guesses.withLock { guesses in
      Self.uncount(key, &guesses)
      guesses.failures[key] = nil
      if guesses.known.count >= Self.mostKnown { guesses.known.removeFirst() }
      guesses.known.insert(key)
    }
  }

  private static func uncount(_ key: Guesses.Key, _ guesses: inout Guesses) {
    guesses.byClient[key.client]?.remove()
    guard let count = guesses.failures[key]?.countOfName, count > 0 else { return }
    guesses.failures[key]?.countOfName = count - 1
    guesses.byName[key.name]?.remove()
  }
}
