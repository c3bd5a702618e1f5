import SafeText

extension UnknownLinkCondition {
  /// What failed and what to do, for a person: one line of safe text.
  public var sentence: String {
    let names = LinkCondition.allCases.map(\.rawValue).joined(separator: ", ")
    return "Unknown link condition “\(SafeText.line(String(name.prefix(60))))”. Use one of: \(names)."
  }
}
