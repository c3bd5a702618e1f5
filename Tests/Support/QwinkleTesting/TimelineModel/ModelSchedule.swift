public import TerminalTesting

/// Random events on a ``ModelServer``, and random choices of its client.
public struct ModelSchedule {
  public var server: ModelServer
  public var random: SplitMix
  public let isRepeating: Bool
  private let usualSize: Int
  /// Whether rows move. With short pages, a client takes a moved row as proof that the rows it has passed were deleted.
  private let isMoving: Bool
  private var hasMoved = false

  public init(seed: UInt64) {
    random = SplitMix(seed: seed)
    let count = Int.random(in: 0...40, using: &random)
    server = ModelServer(count: count, seed: seed &* 31 &+ 7)
    isRepeating = Int.random(in: 0..<4, using: &random) == 0
    isMoving = Int.random(in: 0..<3, using: &random) == 0
    usualSize = Int.random(in: (isMoving ? 8 : 1)...12, using: &random)
  }

  /// Returns the size of the next page. A server may clamp it.
  public mutating func size() -> Int {
    Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: (isMoving ? 8 : 1)...20, using: &random) : usualSize
  }

  /// Records that the client has requested the newest page.
  public mutating func didPoll() { hasMoved = false }

  /// Performs a random event on the server.
  public mutating func happen() {
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<6: for _ in 0..<Int.random(in: 1...8, using: &random) { server.add() }
    case 6..<10: server.addLate(depth: Int.random(in: 1...50, using: &random))
    case 10: server.edit()
    case 11, 12: server.delete(depth: Int.random(in: 1...30, using: &random))
    case 13: server.delete()
    case 14 where isMoving && !hasMoved:
      hasMoved = true
      server.moveToTop()
    case 14: server.edit()
    default: server.toggleFilter()
    }
  }
}
