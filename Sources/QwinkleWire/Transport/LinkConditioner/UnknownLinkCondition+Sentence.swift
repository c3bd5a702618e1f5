import SafeText

extension UnknownLinkCondition {
  /// What failed and what to do, for a person: one line of safe text.
  public var sentence: String {
    let names = LinkCondition.allCases.map(\.rawValue).joined(separator: ", ")
    return "No link condition is called “\(SafeText.line(String(name.prefix(60))))”. There are: \(names)."
  }
}
