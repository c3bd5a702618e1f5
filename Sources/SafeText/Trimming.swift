extension BidirectionalCollection {
  /// The part without the elements at both ends for which `isDropped` is true.
  @inlinable
  public func trimmed(where isDropped: (Element) -> Bool) -> SubSequence {
    let start = drop(while: isDropped)
    guard let last = start.lastIndex(where: { !isDropped($0) }) else { return start[start.endIndex...] }
    return start[...last]
  }
}

extension StringProtocol {
  /// The text without whitespace and line breaks at both ends.
  public func trimmed() -> String {
    guard first?.isWhitespace == true || last?.isWhitespace == true else { return String(self) }
    return String(trimmed(where: \.isWhitespace))
  }
}
