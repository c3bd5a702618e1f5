public import Terminal

/// An item in a ``Layout``: a view or a nested layout.
@MainActor
public protocol LayoutItem {
  /// Returns the size that the item would like to have if it can use at most `room`.
  func intrinsicSize(in room: Size) -> Size
}

extension View: LayoutItem {}

/// Arranges views in their superview, as rows, columns or layers. A layout is a value that computes frames from a size.
/// Return one from ``View/layout(in:)`` or ``ViewController/layout(in:)``, and the view applies it.
///
///     Layout.rows([.intrinsic: rule, .fill: list, .fixed(1): hints])
///
/// A part whose item is `nil` is a gap. If the parts don't fit, gaps shrink first, then intrinsic parts, fractions,
/// fixed parts and minimums. Within each kind, the last part shrinks first.
@MainActor
public struct Layout: LayoutItem {
  public typealias Parts = KeyValuePairs<LayoutLength, (any LayoutItem)?>

  enum Axis { case rows, columns }

  enum Arrangement {
    case axis(Axis, Parts)
    case layers([any LayoutItem])
    case placed([(View, Rect)])
  }

  /// A view and its frame.
  public struct Placement {
    public let view: View
    public let frame: Rect
    /// Whether the view gets less than its fixed or minimum length.
    let isShort: Bool
    /// Whether the frame depends on the view's intrinsic size.
    let isIntrinsic: Bool
  }

  let arrangement: Arrangement

  /// Returns a layout with parts from top to bottom, each as wide as the layout.
  public static func rows(_ parts: Parts) -> Layout { Layout(arrangement: .axis(.rows, parts)) }

  /// Returns a layout with parts from left to right, each as high as the layout.
  public static func columns(_ parts: Parts) -> Layout { Layout(arrangement: .axis(.columns, parts)) }

  /// Returns a layout with items on top of each other, each as large as the layout.
  public static func layers(_ items: [any LayoutItem]) -> Layout { Layout(arrangement: .layers(items)) }

  /// Returns a layout with given frames, in the superview's coordinates.
  public static func placed(_ items: [(View, Rect)]) -> Layout { Layout(arrangement: .placed(items)) }

  /// Returns the frames of all views for `size`, in layout order.
  public func placements(in size: Size) -> [Placement] {
    var placements: [Placement] = []
    place(in: Rect(origin: .zero, size: size), isShort: false, &placements)
    return placements
  }

  /// Returns the frame of `view` for `size`, or an empty frame if the layout doesn't contain it.
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
    case .placed(let items):
      for (view, frame) in items {
        let origin = Point(
          row: rect.origin.row + frame.origin.row, column: rect.origin.column + frame.origin.column)
        place(view, in: Rect(origin: origin, size: frame.size), isShort: isShort)
      }
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

  /// Returns the preferred size. Along the axis, it is the sum of the parts; across the axis, it is their maximum. For
  /// layers, it is the maximum in both directions. For given frames, it is all of `room`.
  public func intrinsicSize(in room: Size) -> Size {
    var size = Size.zero
    switch arrangement {
    case .placed: size = room
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

  /// Returns the actual and the preferred length of each part.
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

  /// Distributes the remaining length among parts that fill.
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
  /// Returns the part of the rectangle that begins at `start` along `axis` and is `length` long. Across the axis, the
  /// part is as long as the rectangle.
  fileprivate func part(along axis: Layout.Axis, at start: Int, _ length: Int) -> Rect {
    axis == .rows
      ? Rect(row: origin.row + start, column: origin.column, rows: length, columns: size.columns)
      : Rect(row: origin.row, column: origin.column + start, rows: size.rows, columns: length)
  }
}
