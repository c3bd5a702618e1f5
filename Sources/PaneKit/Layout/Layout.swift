public import Terminal

/// An item that a ``Layout`` places: a view, or another layout.
@MainActor
public protocol LayoutItem {
  /// The size it wants in `room`.
  func intrinsicSize(in room: Size) -> Size
}

extension View: LayoutItem {}

/// How views share the room of their superview: as rows, as columns, or in layers. A layout is a value that computes
/// frames from a size. Return one from ``View/layout(in:)`` or ``ViewController/layout(in:)``; the view applies it.
///
///     Layout.rows([.intrinsic: rule, .fill: list, .fixed(1): hints])
///
/// `nil` in place of a view is a gap. If the parts don't fit, gaps shrink first, then intrinsic parts, fractions, fixed
/// parts and minimums; within a kind, the last shrinks first.
@MainActor
public struct Layout: LayoutItem {
  public typealias Parts = KeyValuePairs<LayoutLength, (any LayoutItem)?>

  enum Axis { case rows, columns }

  enum Arrangement {
    case axis(Axis, Parts)
    case layers([any LayoutItem])
  }

  /// Where a view goes.
  public struct Placement {
    public let view: View
    public let frame: Rect
    /// Whether it gets less than its fixed or minimum length.
    let isShort: Bool
    /// Whether its frame follows from its intrinsic size.
    let isIntrinsic: Bool
  }

  let arrangement: Arrangement

  /// Parts below each other, from the top. Each has all columns.
  public static func rows(_ parts: Parts) -> Layout { Layout(arrangement: .axis(.rows, parts)) }

  /// Parts beside each other, from the left. Each has all rows.
  public static func columns(_ parts: Parts) -> Layout { Layout(arrangement: .axis(.columns, parts)) }

  /// Items that each have all of the room.
  public static func layers(_ items: [any LayoutItem]) -> Layout { Layout(arrangement: .layers(items)) }

  /// The frames of the views in `size`, in the order in which the layout names them.
  public func placements(in size: Size) -> [Placement] {
    var placements: [Placement] = []
    place(in: Rect(origin: .zero, size: size), isShort: false, &placements)
    return placements
  }

  /// The frame of `view` in `size`; empty where the layout does not name it.
  public func frame(of view: View, in size: Size) -> Rect {
    placements(in: size).first { $0.view === view }?.frame ?? .zero
  }

  private func place(in rect: Rect, isShort: Bool, _ placements: inout [Placement]) {
    func place(_ item: any LayoutItem, in rect: Rect, isShort: Bool, isIntrinsic: Bool = false) {
      if let view = item as? View {
        placements.append(Placement(view: view, frame: rect, isShort: isShort, isIntrinsic: isIntrinsic))
      } else if let layout = item as? Layout {
        layout.place(in: rect, isShort: isShort, &placements)
      }
    }
    switch arrangement {
    case .layers(let items):
      for item in items { place(item, in: rect, isShort: isShort) }
    case .axis(let axis, let parts):
      let lengths = Self.lengths(of: parts, along: axis, in: rect.size)
      var start = 0
      for (part, (length, ideal)) in zip(parts, lengths) {
        defer { start += length }
        guard let item = part.value else { continue }
        let isShort = isShort || (length < ideal && part.key.isRequired)
        place(item, in: rect.part(along: axis, at: start, length), isShort: isShort, isIntrinsic: part.key.isIntrinsic)
      }
    }
  }

  /// Along its axis the sum of its parts, across it the largest of them.
  public func intrinsicSize(in room: Size) -> Size {
    var size = Size.zero
    switch arrangement {
    case .layers(let items):
      for item in items {
        let wanted = item.intrinsicSize(in: room)
        size = Size(rows: max(size.rows, wanted.rows), columns: max(size.columns, wanted.columns))
      }
    case .axis(let axis, let parts):
      for (part, (length, ideal)) in zip(parts, Self.lengths(of: parts, along: axis, in: room)) {
        let partRoom = Rect(origin: .zero, size: room).part(along: axis, at: 0, length).size
        let wanted = part.value?.intrinsicSize(in: partRoom) ?? .zero
        size =
          axis == .rows
          ? Size(rows: size.rows + ideal, columns: max(size.columns, wanted.columns))
          : Size(rows: max(size.rows, wanted.rows), columns: size.columns + ideal)
      }
    }
    return size
  }

  /// The length of each part, and the length it wants.
  private static func lengths(of parts: Parts, along axis: Axis, in size: Size) -> [(length: Int, ideal: Int)] {
    let room = axis == .rows ? size.rows : size.columns
    let ideals = parts.map { part in
      part.key.ideal(in: room) {
        let wanted = part.value?.intrinsicSize(in: size) ?? .zero
        return axis == .rows ? wanted.rows : wanted.columns
      }
    }
    var lengths = ideals
    let rest = room - ideals.reduce(0, +)
    if rest < 0 { shorten(&lengths, of: parts, by: -rest) } else { lengthen(&lengths, of: parts, by: rest) }
    return Array(zip(lengths, ideals))
  }

  private static func shorten(_ lengths: inout [Int], of parts: Parts, by excess: Int) {
    var excess = excess
    for rank in 0...LayoutLength.Kind.highestRank {
      for (index, part) in parts.enumerated().reversed() {
        guard (part.value == nil ? 0 : part.key.kind.rank) == rank else { continue }
        let cut = min(excess, lengths[index])
        lengths[index] -= cut
        excess -= cut
      }
    }
  }

  /// Shares what is left among the parts that fill.
  private static func lengthen(_ lengths: inout [Int], of parts: Parts, by rest: Int) {
    let maximums = parts.map { $0.key.kind == .fill ? $0.key.maximum : 0 }
    var rest = rest
    while case let growing = lengths.indices.filter({ lengths[$0] < maximums[$0] }), rest > 0, !growing.isEmpty {
      let share = max(1, rest / growing.count)
      for index in growing {
        let more = min(share, rest, maximums[index] - lengths[index])
        lengths[index] += more
        rest -= more
      }
    }
  }
}

extension Rect {
  /// A part of it that has all of its length across `axis`.
  fileprivate func part(along axis: Layout.Axis, at start: Int, _ length: Int) -> Rect {
    axis == .rows
      ? Rect(row: origin.row + start, column: origin.column, rows: length, columns: size.columns)
      : Rect(row: origin.row, column: origin.column + start, rows: size.rows, columns: length)
  }
}
