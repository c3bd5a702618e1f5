extension [String] {
  /// Returns the elements joined for a sentence: `a, b and c`.
  public func listed(_ conjunction: String = "and") -> String {
    guard let last = self.last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}

extension String {
  /// The text as the beginning of a sentence. Only the first letter changes.
  public var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }
}
