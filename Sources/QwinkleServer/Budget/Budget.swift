import HTTPTypes
import Synchronization
import Timekeeping

/// Each client's limits and current use of the server. ``Resource`` lists the limits.
///
/// The use is held in memory, so a restart clears it. All calls are fast and thread-safe.
final class Budget: Sendable {
  /// The amounts of one resource in use.
  struct Use {
    var byClient: [Client: Int] = [:]
    var total = 0

    /// Whether a client may use `more` in addition. `ofOne` and `ofAll` are the limits of
    /// ``Resource/Limit/held(ofOne:ofAll:)``.
    func hasRoom(for more: Int, of client: Client, ofOne: Int, ofAll: Int) -> Bool {
      let mine = byClient[client, default: 0]
      guard mine + more <= ofOne else { return false }
      if total + more <= ofAll { return true }
      let clientCount = byClient.count + (mine == 0 ? 1 : 0)
      return mine + more <= min(ofAll / clientCount, max(1, ofOne / 16)) && total + more <= ofAll + ofAll / 2
    }

    mutating func add(_ amount: Int, of client: Client) {
      total += amount
      let mine = byClient[client, default: 0] + amount
      byClient[client] = mine == 0 ? nil : mine
    }
  }

  let clock: any ProgramClock
  /// Whether limits of events over time are off, as in tests and benchmarks.
  let isUnpaced: Bool
  let turns: Turns
  /// Limits that replace a resource's own.
  private let limits: [Resource: Resource.Limit]
  private let uses = Mutex<[Resource: Use]>([:])
  let windows = Mutex(Windows())
  let paces = Mutex(Paces())
  let guesses = Mutex(Guesses())

  /// - Parameter limits: Replacements for the limits of some resources. The limits of turns can't be replaced.
  init(clock: any ProgramClock, isUnpaced: Bool = false, limits: [Resource: Resource.Limit] = [:]) {
    self.clock = clock
    self.isUnpaced = isUnpaced
    self.limits = limits
    turns = Turns(clock: clock)
  }

  func limit(of resource: Resource) -> Resource.Limit { limits[resource] ?? resource.limit }

  /// Reserves some of a resource until the share is released.
  ///
  /// - Throws: ``Refusal`` if the client would use too much.
  func take(_ resource: Resource, _ amount: Int = 1, for client: Client) throws(Refusal) -> Share {
    let share = Share(self, resource, client)
    try share.resize(to: amount)
    return share
  }

  /// Returns the amount of a resource in use by a client, or by all clients if `client` is nil.
  func used(_ resource: Resource, by client: Client? = nil) -> Int {
    uses.withLock { uses in
      guard let use = uses[resource] else { return 0 }
      return client.map { use.byClient[$0, default: 0] } ?? use.total
    }
  }

  fileprivate func change(_ resource: Resource, by amount: Int, of client: Client) throws(Refusal) {
    guard client != .process, case .held(let ofOne, let ofAll) = limit(of: resource) else { return }
    let isDone = uses.withLock { uses in
      guard amount <= 0 || uses[resource, default: Use()].hasRoom(for: amount, of: client, ofOne: ofOne, ofAll: ofAll)
      else { return false }
      uses[resource, default: Use()].add(amount, of: client)
      return true
    }
    if !isDone { throw .tooMuch(resource) }
  }
}

/// An amount of a resource reserved for a client. Released with the object.
final class Share: Sendable {
  private let budget: Budget
  private let resource: Resource
  private let client: Client
  private let amount = Mutex(0)

  fileprivate init(_ budget: Budget, _ resource: Resource, _ client: Client) {
    self.budget = budget
    self.resource = resource
    self.client = client
  }

  deinit { release() }

  /// Releases the amount before the object is deallocated.
  func release() { try? resize(to: 0) }

  /// Changes the amount.
  ///
  /// - Throws: ``Refusal`` if the client would use too much. The amount doesn't change then.
  func resize(to new: Int) throws(Refusal) {
    try amount.withLock { (amount) throws(Refusal) in
      try budget.change(resource, by: new - amount, of: client)
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
