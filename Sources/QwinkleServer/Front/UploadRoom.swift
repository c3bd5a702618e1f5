import Synchronization

/// How many large bodies may come at once, in all and of one account: each is kept in memory until it is whole.
final class UploadRoom: Sendable {
  /// Room for one body, given back when nobody has it any more.
  final class Place: Sendable {
    private let room: UploadRoom
    private let account: Int64

    fileprivate init(_ room: UploadRoom, _ account: Int64) {
      self.room = room
      self.account = account
    }

    deinit { room.giveBack(account) }
  }

  private let most: Int
  private let mostOfOne: Int
  private let taken = Mutex<[Int64: Int]>([:])

  init(most: Int = 16, mostOfOne: Int = 4) {
    self.most = most
    self.mostOfOne = mostOfOne
  }

  /// Room for a body of an account; nil if there is none.
  func place(for account: Int64) -> Place? {
    let isIn = taken.withLock { taken in
      guard taken[account, default: 0] < mostOfOne, taken.values.reduce(0, +) < most else { return false }
      taken[account, default: 0] += 1
      return true
    }
    return isIn ? Place(self, account) : nil
  }

  private func giveBack(_ account: Int64) {
    taken.withLock { taken in
      let left = taken[account, default: 1] - 1
      taken[account] = left > 0 ? left : nil
    }
  }
}
