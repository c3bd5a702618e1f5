import SafeText

extension UnknownLinkCondition {
  /// A message that lists the valid names, as one sanitized line.
  public var sentence: String {
    let names = LinkCondition.allCases.map(\.rawValue).joined(separator: ", ")
    return "Unknown link condition “\(SafeText.line(String(name.prefix(60))))”. Use one of: \(names)."
  }
}
