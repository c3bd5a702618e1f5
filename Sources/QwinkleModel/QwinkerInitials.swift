/// Letters and a colour that stand for a qwinker without a picture, the same on every machine.
extension Qwinker {
  /// One or two letters from the display name, or else from the user name.
  public var initials: [String] {
    let words = displayName.split { !$0.isLetter && !$0.isNumber }
    var letters = words.prefix(2).compactMap(\.first).map { $0.uppercased() }
    if words.count == 1, let word = words.first {
      letters = word.prefix(2).map { $0.uppercased() }
    }
    return letters.isEmpty ? userName.prefix(2).map { $0.uppercased() } : letters
  }

  /// The number of the qwinker's colour, from 0 up to, but not including, `count`.
  public func color(of count: Int) -> Int {
    let hash = handle.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(hash % UInt32(count))
  }
}
