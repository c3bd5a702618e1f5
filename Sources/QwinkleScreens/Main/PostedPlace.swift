import PaneKit
import QwinkleModel

/// Position of a qwink that was just posted.
enum PostedPlace: Hashable {
  /// Visible, or just below the visible rows.
  case inSight
  /// The first row of the focused timeline, which is scrolled down.
  case top
  /// The last row of the focused timeline, which shows its oldest rows first and is scrolled up.
  case end
  /// In the thread of the selected qwink, which isn't open.
  case thread
  /// At the top of a section that isn't open. Switching to the section shows the qwink at once.
  case section(Section)
  /// In a section, possibly outside the visible rows.
  case somewhere(Section)
  /// Anywhere else. The message after posting doesn't name the position.
  case elsewhere
}

extension SectionRouter {
  /// Returns the position of `qwink`. Call this after the timelines have inserted the qwink.
  func place(ofPosted qwink: Qwink) -> PostedPlace {
    let pane = stack.pane
    let front = pane.front
    if let timeline = pane.main as? TimelineViewController, let index = timeline.index(of: qwink) {
      let isVisible = timeline.showsOldestFirst ? timeline.list.isAtEnd : timeline.list.isAtTop
      if isVisible, index == 0 { return .inSight }
      if front === timeline, index == 0, timeline.leadingCell == nil { return timeline.showsOldestFirst ? .end : .top }
    }
    if qwink.visibility == .direct {
      if isVisible(.messages) { return .inSight }
      return sections.contains(.messages) ? .somewhere(.messages) : .elsewhere
    }
    if let parent = qwink.inReplyTo {
      let reading = pane as? ListAndThreadViewController
      if front is ThreadViewController || reading?.isSideBySide == true { return .inSight }
      if reading != nil, front.selectedQwink?.originalID == parent { return .thread }
    }
    guard section != .home, sections.contains(.home), TimelineName.home.includes(qwink) else { return .elsewhere }
    guard let stack = stacks[.home], stack.isAtRoot, let home = stack.pane.main as? TimelineViewController,
      home.isAtTop, home.index(of: qwink) == 0
    else { return .somewhere(.home) }
    return isVisible(.home) ? .inSight : .section(.home)
  }

  private func isVisible(_ section: Section) -> Bool {
    shownStacks.contains { $0 === stacks[section] }
  }
}

extension TimelineViewController {
  /// Returns the index of the row with `qwink`, or nil if the row is hidden or not loaded.
  fileprivate func index(of qwink: Qwink) -> Int? {
    rows.firstIndex { $0.qwink?.originalID == qwink.originalID }
  }
}
