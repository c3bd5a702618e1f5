/// Things that are on or off on the server. For each key one change is under way at a time, as two could arrive in any
/// order; what is wanted meanwhile is sent after the answer.
struct Switches<Key: Hashable> {
  private var sent: [Key: Bool] = [:]
  private var wanted: [Key: Bool] = [:]

  /// What each key with a change under way will be at the end.
  var targets: [Key: Bool] { sent.merging(wanted) { $1 } }

  /// What `key` will be at the end; nil if no change is under way.
  func target(of key: Key) -> Bool? { wanted[key] ?? sent[key] }

  func isUnderWay(_ key: Key) -> Bool { sent[key] != nil }

  /// Notes what is wanted. Returns whether to send it now.
  mutating func want(_ isOn: Bool, for key: Key) -> Bool {
    guard isUnderWay(key) else {
      sent[key] = isOn
      return true
    }
    wanted[key] = isOn
    return false
  }

  /// Forgets what was wanted after the change under way.
  mutating func dropWanted(_ key: Key) { wanted[key] = nil }

  /// Notes that the change under way has ended. Returns what to send next; nil if nothing.
  mutating func next(after key: Key) -> Bool? {
    let last = sent.removeValue(forKey: key)
    guard let next = wanted.removeValue(forKey: key), next != last else { return nil }
    sent[key] = next
    return next
  }
}
