import PaneKit
import QwinkleModel
import Terminal

/// The line below the title of a catch-up: the views with their keys, and the order.
@MainActor
enum CatchUpTabs {
  /// Shows the views in `bar`. If not all fit, those at the end are left out, but never the shown one.
  static func show(_ shown: CatchUpView, sort: CatchUpSort, in bar: BarView) {
    bar.leading = CatchUpView.allCases.enumerated().map { index, view in
      let isShown = view == shown
      let item = BarView.Item(
        [TextRun(view.action.key, .key), TextRun(" \(CatchUpWords.name(of: view))", isShown ? .strong : .dim)],
        priority: isShown ? 100 : 50 - index, action: view.action)
      return item
    }
    bar.trailing = [
      BarView.Item(
        [TextRun(Action.sortCatchUp.key, .key), TextRun(" \(CatchUpWords.name(of: sort))", .dim)],
        priority: sort == .time ? 10 : 90, action: .sortCatchUp)
    ]
  }
}

extension CatchUpView {
  /// The action that chooses the view.
  var action: Action {
    switch self {
    case .time: .catchUpTime
    case .authors: .catchUpUsers
    case .threads: .catchUpThreads
    case .links: .catchUpLinks
    case .pictures: .catchUpPictures
    case .originals: .catchUpOriginals
    case .boosts: .catchUpBoosts
    }
  }

  /// Returns the view that is `step` views after this one. The last view is followed by the first.
  func moved(by step: Int) -> CatchUpView {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + step + all.count) % all.count]
  }
}

extension CatchUpSort {
  /// The next order. The last one is followed by the first.
  var next: CatchUpSort {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + 1) % all.count]
  }
}
