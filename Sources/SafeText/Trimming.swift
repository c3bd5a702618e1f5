extension BidirectionalCollection {
  /// Returns the collection without the elements at both ends for which `isDropped` returns true.
  @inlinable
  public func trimmed(where isDropped: (Element) -> Bool) -> SubSequence {
    let start = drop(while: isDropped)
    guard let last = start.lastIndex(where: { !isDropped($0) }) else { return start[start.endIndex...] }
    return start[...last]
  }
}

extension StringProtocol {
  /// Returns the text without white space and line breaks at both ends.
  public func trimmed() -> String {
    guard first?.isWhitespace == true || last?.isWhitespace == true else { return String(self) }
    return String(trimmed(where: \.isWhitespace))
  }
}
