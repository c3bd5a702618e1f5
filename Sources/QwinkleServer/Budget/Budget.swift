import HTTPTypes
import Synchronization
import Timekeeping

/// Each client's limits and current use of the server. ``Resource`` lists the limits.
///
/// The use is held in memory, so a restart clears it. All calls are fast and thread-safe.
final class Budget: Sendable {
  let clock: any ProgramClock
  /// Whether limits on the number of events over time are disabled, as in tests and benchmarks. Password attempts stay
  /// limited.
  let isUnpaced: Bool
  let turns: Turns
  let knownAccounts = KnownAccounts()
  let refusals: RefusalCounts
  /// Limits that replace the default limits of some resources.
  private let limits: [Resource: Resource.Limit]
  private let uses: [Resource: ResourceUse]
  let windows = Mutex(Windows())
  let paces = Mutex(Paces())
  let guesses = Mutex(Guesses())

  /// - Parameter limits: Replacements for the limits of some resources. Limits of the kind ``Resource/Limit/turns(_:)``
  ///   can't be replaced.
  init(clock: any ProgramClock, isUnpaced: Bool = false, limits: [Resource: Resource.Limit] = [:]) {
    self.clock = clock
    self.isUnpaced = isUnpaced
    self.limits = limits
    turns = Turns(clock: clock)
    let refusals = RefusalCounts()
    self.refusals = refusals
    uses = Dictionary(
      uniqueKeysWithValues: Resource.allCases.compactMap { resource in
        guard case .held(let ofOne, let ofAll) = limits[resource] ?? resource.limit else { return nil }
        return (resource, ResourceUse(of: resource, ofOne: ofOne, ofAll: ofAll, refusals))
      })
  }

  func limit(of resource: Resource) -> Resource.Limit { limits[resource] ?? resource.limit }

  /// Reserves an amount of a resource until the returned share is released.
  ///
  /// - Throws: ``Refusal`` if the client would use too much.
  func take(_ resource: Resource, _ amount: Int = 1, for client: Client) throws(Refusal) -> Share {
    let share = Share(uses[resource], client)
    try share.resize(to: amount)
    return share
  }

  /// Returns the amount of a resource in use by a client, or by all clients if `client` is nil.
  func used(_ resource: Resource, by client: Client? = nil) -> Int { uses[resource]?.amount(of: client) ?? 0 }
}

/// The amounts of a resource that clients use. ``Resource/Limit/held(ofOne:ofAll:)`` limits them.
private final class ResourceUse: Sendable {
  private struct Amounts {
    var byClient: [Client: Int] = [:]
    var total = 0
  }

  private let resource: Resource
  private let ofOne: Int
  private let ofAll: Int
  private let refusals: RefusalCounts
  private let amounts = Mutex(Amounts())

  init(of resource: Resource, ofOne: Int, ofAll: Int, _ refusals: RefusalCounts) {
    self.resource = resource
    self.ofOne = ofOne
    self.ofAll = ofAll
    self.refusals = refusals
  }

  func amount(of client: Client?) -> Int {
    amounts.withLock { amounts in client.map { amounts.byClient[$0, default: 0] } ?? amounts.total }
  }

  func change(by amount: Int, of client: Client) throws(Refusal) {
    let isDone = amounts.withLock { amounts in
      let index = amounts.byClient.index(forKey: client)
      let mine = index.map { amounts.byClient.values[$0] } ?? 0
      guard amount <= 0 || hasRoom(for: amount, mine, amounts) else { return false }
      amounts.total += amount
      // The index saves hashing the client again.
      if let index, mine + amount == 0 {
        amounts.byClient.remove(at: index)
      } else if let index {
        amounts.byClient.values[index] = mine + amount
      } else {
        amounts.byClient[client] = amount
      }
      return true
    }
    if isDone { return }
    refusals.add(resource)
    throw .tooMuch(resource)
  }

  /// Returns whether a client that uses the amount `mine` is allowed to use `more` in addition.
  private func hasRoom(for more: Int, _ mine: Int, _ amounts: Amounts) -> Bool {
    guard mine + more <= ofOne else { return false }
    if amounts.total + more <= ofAll { return true }
    let clientCount = amounts.byClient.count + (mine == 0 ? 1 : 0)
    return mine + more <= min(ofAll / clientCount, max(1, ofOne / 16)) && amounts.total + more <= ofAll + ofAll / 2
  }
}

/// An amount of a resource reserved for a client. Deallocating the object releases the amount.
final class Share: Sendable {
  /// Nil if the client or the resource has no limit.
  private let use: ResourceUse?
  private let client: Client
  private let amount = Mutex(0)

  fileprivate init(_ use: ResourceUse?, _ client: Client) {
    self.use = client == .process ? nil : use
    self.client = client
  }

  deinit { release() }

  /// Releases the amount before the object is deallocated.
  func release() { try? resize(to: 0) }

  /// Changes the amount.
  ///
  /// - Throws: ``Refusal`` if the client would use too much. The amount doesn't change then.
  func resize(to new: Int) throws(Refusal) {
    guard let use else { return }
    try amount.withLock { (amount) throws(Refusal) in
      if new == amount { return }
      try use.change(by: new - amount, of: client)
      amount = new
    }
  }
}

extension Refusal {
  /// The error if the client, or all clients together, use too much of a resource.
  static func tooMuch(_ resource: Resource) -> Refusal {
    Refusal(
      status: .serviceUnavailable, message: "Too many \(resource.words) at once. Try again in a few seconds.",
      headers: [.retryAfter: "5"])
  }
}
