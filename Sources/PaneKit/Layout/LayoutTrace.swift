import Terminal

/// What is wrong with the place of a view.
enum LayoutIssue: Hashable {
  /// It has less than the fixed or minimum length that its layout says.
  case tooSmall
  /// A part of it is outside of its superview.
  case outside
  /// Another view of the same superview covers a part of it, though the layout doesn't put one over the other.
  case covered(by: String)
  /// Its text is cut.
  case cut
}

extension LayoutIssue: CustomStringConvertible {
  var description: String {
    switch self {
    case .tooSmall: "too small"
    case .outside: "outside"
    case .covered(let name): "covered by \(name)"
    case .cut: "cut"
    }
  }
}

extension View {
  /// Whether sizes in it could not be met, views cover each other, or text is cut; ``layoutTrace`` says which.
  public var hasAmbiguousLayout: Bool { !layoutIssues.isEmpty }

  /// The view and those in it, a line each: class, restoration identifier, frame, and what is wrong with it.
  public var layoutTrace: String { traceLines.joined(separator: "\n") }

  /// What is wrong with those in it that are seen.
  var layoutIssues: [LayoutIssue] {
    subviews.filter { !$0.isHidden }.flatMap { issues(of: $0) + $0.layoutIssues }
  }

  private var traceLines: [String] {
    let issues = isHidden ? [] : superview?.issues(of: self) ?? []
    let identifier = controller?.restorationIdentifier.map { " \($0)" } ?? ""
    let place = "\(frame.size.columns)x\(frame.size.rows) at \(frame.origin.row),\(frame.origin.column)"
    let wrong = issues.map { " ! \($0)" }.joined()
    return ["\(name)\(identifier) \(place)\(isHidden ? " hidden" : "")\(wrong)"]
      + subviews.flatMap(\.traceLines).map { "  " + $0 }
  }

  private var name: String { String(describing: type(of: controller as Responder? ?? self)) }

  private func issues(of subview: View) -> [LayoutIssue] {
    let layout = layout(in: frame.size)
    var issues: [LayoutIssue] = []
    if layout?.placements(in: frame.size).contains(where: { $0.view === subview && $0.isShort }) == true {
      issues.append(.tooSmall)
    }
    guard !subview.frame.isEmpty else { return issues }
    if subview.frame.intersection(bounds) != subview.frame { issues.append(.outside) }
    let index = subviews.firstIndex { $0 === subview } ?? subviews.endIndex
    for other in subviews[index...].dropFirst() where !other.isHidden {
      guard !other.frame.intersection(subview.frame).isEmpty, layout?.layers(subview, other) != true else { continue }
      issues.append(.covered(by: other.name))
    }
    if subview.isTextCut { issues.append(.cut) }
    return issues
  }
}

extension Layout {
  /// Whether it puts one of two views over the other.
  fileprivate func layers(_ first: View, _ second: View) -> Bool {
    func contains(_ item: any LayoutItem, _ view: View) -> Bool {
      item as? View === view || (item as? Layout)?.items.contains { contains($0, view) } == true
    }
    let common = items.first { contains($0, first) && contains($0, second) }
    if let common { return (common as? Layout)?.layers(first, second) ?? false }
    guard case .layers = arrangement else { return false }
    return items.contains { contains($0, first) } && items.contains { contains($0, second) }
  }

  private var items: [any LayoutItem] {
    switch arrangement {
    case .layers(let items): items
    case .axis(_, let parts): parts.compactMap(\.value)
    }
  }
}
