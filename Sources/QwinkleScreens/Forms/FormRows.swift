import PaneKit
import Terminal

/// The rows of a form. If they don't all fit, those around the focused row are visible.
struct FormRows {
  /// The heights of the rows, from top to bottom.
  var heights: [Int]
  var focused: Int

  var rowCount: Int { heights.reduce(0, +) }

  /// Returns the rows to show in `room`, which include the focused one.
  func shown(in room: Int) -> Range<Int> {
    guard heights.indices.contains(focused) else { return 0..<0 }
    var shown = focused..<(focused + 1)
    var left = room - heights[focused]
    var grows = true
    while grows {
      grows = false
      if let next = heights.indices.contains(shown.upperBound) ? heights[shown.upperBound] : nil, next <= left {
        shown = shown.lowerBound..<(shown.upperBound + 1)
        left -= next
        grows = true
      }
      if shown.lowerBound > 0, heights[shown.lowerBound - 1] <= left {
        shown = (shown.lowerBound - 1)..<shown.upperBound
        left -= heights[shown.lowerBound]
        grows = true
      }
    }
    return shown
  }
}
