import PaneKit
import QwinkleModel

/// How to get to a qwink that was posted.
enum PostedPlace: Hashable {
  /// It is seen, or just below what is seen.
  case inSight
  /// It is the first row of the list in front.
  case top
  /// It is in the thread that opens from the selected row.
  case thread
  /// A section shows it as soon as that is opened.
  case section(Section)
  /// It is in a section, perhaps not in sight.
  case somewhere(Section)
  /// Nobody knows.
  case elsewhere
}

extension MainViewController {
  /// Where `qwink` is, after the timelines have taken it in.
  func place(ofPosted qwink: Qwink) -> PostedPlace {
    let pane = stack.pane
    let front = pane.front
    if let timeline = pane.main as? TimelineViewController, let index = timeline.index(of: qwink) {
      if timeline.list.isAtTop, index == 0 { return .inSight }
      if front === timeline, index == 0, timeline.leadingCell == nil { return .top }
    }
    if qwink.visibility == .direct {
      if section == .messages || panes.side != nil { return .inSight }
      return sections.contains(.messages) ? .somewhere(.messages) : .elsewhere
    }
    if let parent = qwink.inReplyTo {
      let reading = pane as? ReadingViewController
      if front is ThreadViewController || reading?.isSideBySide == true { return .inSight }
      if reading != nil, front.selectedQwink?.originalID == parent { return .thread }
    }
    guard section != .home, sections.contains(.home), TimelineName.home.takesIn(qwink) else { return .elsewhere }
    guard let stack = stacks[.home], stack.panes.count == 1, stack.pane.front === stack.pane.main,
      let home = stack.pane.main as? TimelineViewController, home.isAtTop, home.index(of: qwink) == 0
    else { return .somewhere(.home) }
    return .section(.home)
  }
}

extension TimelineViewController {
  /// The index of the row with `qwink`, among those that are shown; nil: there is none.
  fileprivate func index(of qwink: Qwink) -> Int? {
    rows.firstIndex { $0.qwink?.originalID == qwink.originalID }
  }
}
