extension BidirectionalCollection {
  /// What is left without the elements at both ends that `isDropped`.
  @inlinable
  public func trimmed(where isDropped: (Element) -> Bool) -> SubSequence {
    let start = drop(while: isDropped)
    guard let last = start.lastIndex(where: { !isDropped($0) }) else { return start[start.endIndex...] }
    return start[...last]
  }
}

extension StringProtocol {
  /// Without white space and line breaks at either end.
  public func trimmed() -> String {
    guard first?.isWhitespace == true || last?.isWhitespace == true else { return String(self) }
    return String(trimmed(where: \.isWhitespace))
  }
}
