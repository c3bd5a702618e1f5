import Terminal

/// A problem with a view's frame.
enum LayoutIssue: Hashable {
  /// The view gets less than its fixed or minimum length.
  case tooSmall
  /// The view extends beyond its superview.
  case outside
  /// A sibling overlaps the view, though the layout doesn't layer them.
  case covered(by: String)
  /// The view's text is truncated.
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
  /// Whether a view in the hierarchy is too small, extends beyond its superview, overlaps another view, or truncates
  /// its text; see ``layoutTrace``.
  public var hasAmbiguousLayout: Bool { !layoutIssues.isEmpty }

  /// The view hierarchy, one view per line: class, restoration identifier, frame and layout problems.
  public var layoutTrace: String { traceLines.joined(separator: "\n") }

  /// Layout problems of visible descendants.
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
  /// Whether the layout puts one view on top of the other.
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
    case .placed(let items): items.map(\.0)
    case .axis(_, let parts): parts.compactMap(\.value)
    }
  }
}
