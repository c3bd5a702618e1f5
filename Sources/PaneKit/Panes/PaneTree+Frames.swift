public import PaneTrees
public import Terminal

/// The line between the two parts of a split. Parts one above the other have no separate line: the title row of the
/// lower part divides them.
public struct PaneBorder: Hashable, Sendable {
  public let axis: PaneAxis
  /// The steps from the root of the tree to the split: false for the first part, true for the second.
  public let path: [Bool]
  public let frame: Rect
}

/// The frames of a tree's panes and borders.
public struct PaneFrames<Pane: Hashable & Sendable>: Sendable {
  /// In the order of ``PaneTree/panes``.
  public fileprivate(set) var panes: [(pane: Pane, frame: Rect)] = []
  public fileprivate(set) var borders: [PaneBorder] = []

  public func frame(of pane: Pane) -> Rect? { panes.first { $0.pane == pane }?.frame }

  /// Returns the nearest pane in a direction from `pane`, if any. Of several panes, prefers the pane next to the first
  /// row or column of `pane`.
  public func neighbor(of pane: Pane, toward direction: PaneDirection) -> Pane? {
    guard let frame = frame(of: pane) else { return nil }
    let across: PaneAxis = direction.axis == .columns ? .rows : .columns
    let (own, side) = (frame.range(along: direction.axis), frame.range(along: across))
    let candidates = panes.compactMap { other -> (pane: Pane, distance: Int, offset: Int)? in
      let range = other.frame.range(along: direction.axis)
      let distance = direction.isForward ? range.lowerBound - own.upperBound : own.lowerBound - range.upperBound
      let otherSide = other.frame.range(along: across)
      guard other.pane != pane, distance >= 0, otherSide.overlaps(side) else { return nil }
      return (other.pane, distance, max(0, otherSide.lowerBound - side.lowerBound))
    }
    return candidates.min { ($0.distance, $0.offset) < ($1.distance, $1.offset) }?.pane
  }
}

extension PaneTree {
  /// The smallest pane that is of use.
  public static var minimumSize: Size { Size(rows: 4, columns: 24) }

  /// Returns the frames of the panes and of the lines between them. All panes have at least ``minimumSize`` if the tree
  /// is one that ``fitted(to:around:)`` has returned for `size`.
  public func frames(in size: Size) -> PaneFrames<Pane> {
    var frames = PaneFrames<Pane>()
    place(in: Rect(origin: .zero, size: size), path: [], &frames)
    return frames
  }

  private func place(in rect: Rect, path: [Bool], _ frames: inout PaneFrames<Pane>) {
    switch self {
    case .pane(let pane): frames.panes.append((pane, rect))
    case .split(let axis, _, let first, let second):
      let length = firstLength(in: rect.size)
      let room = rect.size.length(along: axis)
      // In a window that has just become smaller, the tree may not be fitted yet.
      let end = min(length + axis.borderLength, room)
      first.place(in: rect.part(along: axis, 0..<length), path: path + [false], &frames)
      second.place(in: rect.part(along: axis, end..<room), path: path + [true], &frames)
      let border = rect.part(along: axis, length..<min(length + 1, room))
      frames.borders.append(PaneBorder(axis: axis, path: path, frame: border))
    }
  }

  /// Returns the tree without the panes that don't fit. Drops the last panes first, but not `focus`.
  public func fitted(to size: Size, around focus: Pane) -> PaneTree {
    var tree = self
    while !tree.fits(in: size), let last = tree.panes.last(where: { $0 != focus }) { tree.remove(last) }
    return tree
  }

  private func fits(in size: Size) -> Bool {
    guard case .split(let axis, _, let first, let second) = self else { return true }
    guard minimumLength(along: axis) <= size.length(along: axis) else { return false }
    let length = firstLength(in: size)
    let rest = size.length(along: axis) - length - axis.borderLength
    return first.fits(in: size.with(length, along: axis)) && second.fits(in: size.with(rest, along: axis))
  }

  /// Moves a line by a number of columns or rows, as far as the parts stay large enough.
  public mutating func move(_ border: PaneBorder, by distance: Int, in size: Size) {
    move(at: border.path[...], by: distance, in: size)
  }

  private mutating func move(at path: ArraySlice<Bool>, by distance: Int, in size: Size) {
    guard case .split(let axis, let share, var first, var second) = self else { return }
    let room = size.length(along: axis) - axis.borderLength
    let length = firstLength(in: size)
    guard let step = path.first else {
      // The middle of a cell, so that rounding doesn't change the length.
      self = .split(axis, share: (Double(length + distance) + 0.5) / Double(max(1, room)), first, second)
      let moved = firstLength(in: size)
      self = .split(axis, share: (Double(moved) + 0.5) / Double(max(1, room)), first, second)
      return
    }
    if step {
      second.move(at: path.dropFirst(), by: distance, in: size.with(room - length, along: axis))
    } else {
      first.move(at: path.dropFirst(), by: distance, in: size.with(length, along: axis))
    }
    self = .split(axis, share: share, first, second)
  }

  /// Lengthens `pane` along `axis`, or shortens it if `distance` is negative. Does nothing if the pane isn't next to a
  /// line across this axis.
  public mutating func grow(_ pane: Pane, along axis: PaneAxis, by distance: Int, in size: Size) {
    var path: [Bool] = []
    var border: (path: [Bool], isFirst: Bool)?
    var tree = self
    while case .split(let own, _, let first, let second) = tree {
      let isFirst = first.contains(pane)
      if own == axis { border = (path, isFirst) }
      path.append(!isFirst)
      tree = isFirst ? first : second
    }
    guard let border else { return }
    move(at: border.path[...], by: border.isFirst ? distance : -distance, in: size)
  }

  /// Length of a split's first part in `size`.
  private func firstLength(in size: Size) -> Int {
    guard case .split(let axis, let share, let first, let second) = self else { return size.columns }
    let room = max(0, size.length(along: axis) - axis.borderLength)
    let length = Int(min(max(share, 0), 1) * Double(room))
    let highest = room - second.minimumLength(along: axis)
    return min(max(length, min(first.minimumLength(along: axis), room)), max(highest, 0))
  }

  /// Length below which a pane would become smaller than ``minimumSize``.
  private func minimumLength(along axis: PaneAxis) -> Int {
    guard case .split(let own, _, let first, let second) = self else { return Self.minimumSize.length(along: axis) }
    let (length, otherLength) = (first.minimumLength(along: axis), second.minimumLength(along: axis))
    return own == axis ? length + axis.borderLength + otherLength : max(length, otherLength)
  }
}

extension PaneAxis {
  /// Columns or rows that a line takes between two parts.
  fileprivate var borderLength: Int { self == .columns ? 1 : 0 }
}

extension Size {
  fileprivate func length(along axis: PaneAxis) -> Int { axis == .columns ? columns : rows }

  fileprivate func with(_ length: Int, along axis: PaneAxis) -> Size {
    axis == .columns ? Size(rows: rows, columns: length) : Size(rows: length, columns: columns)
  }
}

extension Rect {
  fileprivate func range(along axis: PaneAxis) -> Range<Int> {
    axis == .columns
      ? origin.column..<(origin.column + size.columns) : origin.row..<(origin.row + size.rows)
  }

  fileprivate func part(along axis: PaneAxis, _ range: Range<Int>) -> Rect {
    axis == .columns
      ? Rect(row: origin.row, column: origin.column + range.lowerBound, rows: size.rows, columns: range.count)
      : Rect(row: origin.row + range.lowerBound, column: origin.column, rows: range.count, columns: size.columns)
  }
}
