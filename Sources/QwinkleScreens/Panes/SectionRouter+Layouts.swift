import PaneKit
import PaneTrees
import QwinkleConfig
import QwinkleModel

/// Named arrangements of panes.
extension SectionRouter {
  private var settings: ReaderSettings { screen.factory.settings }
  private var layouts: [OwnLayout] { settings.desk?.layouts ?? [] }
  private var layoutWidths: [LayoutWidth] { settings.desk?.layoutWidths ?? [] }

  func perform(_ command: LayoutCommand) {
    guard !screen.isLinear else { return screen.say(LayoutWords.unreadable, .warning) }
    switch command {
    case .list:
      screen.present(OutputSheet(title: LayoutWords.title, text: LayoutWords.list(layouts, layoutWidths)))
    case .show(let name): show(layoutNamed: name)
    case .save(let name): save(layoutNamed: name)
    }
  }

  // MARK: Showing

  private func show(layoutNamed name: String) {
    if let ready = ReadyLayout(rawValue: name.lowercased()) {
      show(ready)
      screen.say(LayoutWords.shown(ready.rawValue), .dim)
    } else if let own = layouts.first(where: { $0.name == name })
      ?? layouts.first(where: { $0.name.lowercased() == name.lowercased() })
    {
      show(own) { [weak screen] in screen?.say(LayoutWords.shown(own.name), .dim) }
    } else {
      let known = ReadyLayout.allCases.map(\.rawValue) + layouts.map(\.name)
      screen.say(LayoutWords.noLayout(name, nearest: NearestWord.find(name, among: known)), .error)
    }
  }

  private func show(_ layout: ReadyLayout) {
    layoutResolver = nil
    panes.automatic.wantsMessages = layout.showsMessages
    if panes.isAutomatic {
      panes.arrange(nil, focusing: panes.current)
    } else {
      arrangeAutomatically(section)
    }
    screen.setNeedsBars()
  }

  /// - Parameter isForWidth: Whether the width of the window chose the layout.
  private func show(
    _ layout: OwnLayout, isForWidth: Bool = false, whenComplete: @escaping @MainActor () -> Void = {}
  ) {
    layoutResolver = LayoutResolver(layout.tree.panes, in: account, sections: sections, views: screen.factory.views) {
      [weak self] resolver in
      guard let self else { return }
      layoutResolver = nil
      if isForWidth { panes.isWidthLayoutIncomplete = resolver.hasFailed }
      // A slow answer must not take the keys from a text field.
      guard !panes.isTyping else { return screen.say(LayoutWords.late(layout.name), .warning) }
      arrange(layout, resolver)
      let count = layout.tree.panes.count
      let visible = panes.shownTree.panes.count
      if !resolver.reasons.isEmpty {
        screen.say(LayoutWords.missing(layout.name, resolver.reasons), .warning)
      } else if visible < count {
        screen.say(LayoutWords.partial(layout.name, visible: visible, of: count), .dim)
      } else {
        whenComplete()
      }
    }
    layoutResolver?.start()
  }

  /// Shows the panes of `layout` that were found. A place that is in a pane already keeps its stack.
  private func arrange(_ layout: OwnLayout, _ resolver: LayoutResolver) {
    let former = contents
    var number = newPane.number
    var new: [PaneID: PaneContent] = [:]
    var ids: [PaneName: PaneID] = [:]
    for (name, content) in layout.tree.panes.compactMap({ name in resolver.found[name].map { (name, $0) } }) {
      let pane = PaneID(number: number)
      number += 1
      ids[name] = pane
      new[pane] =
        switch content {
        case .section(let section): .section(section)
        case .place(let place): .place(stack(of: place, in: pane))
        }
    }
    var tree = layout.tree
    for name in tree.panes where ids[name] == nil && tree.panes.count > 1 { tree.remove(name) }
    guard !ids.isEmpty else { return }
    let focused = stack(of: panes.current)
    for (pane, content) in former {
      if new.values.contains(where: { $0.isSame(as: content) }) { contents[pane] = nil }
      close(pane)
    }
    contents = new
    let panesTree = tree.map { ids[$0] ?? .main }
    let focus = panesTree.panes.first { stack(of: $0) === focused } ?? panesTree.panes[0]
    let show = { self.show(panesTree, focusing: focus) }
    // Keys must not type into an empty field that the user didn't focus.
    if let search = stack(of: focus).panes[0].main as? SearchViewController, stack(of: focus) !== focused {
      search.startOutsideField(show)
    } else {
      show()
    }
  }

  /// Returns the stack that shows `place` already, or else a new one.
  private func stack(of place: Place, in pane: PaneID) -> PaneStack {
    guard let stack = contents.values.lazy.compactMap({ $0.stack(of: place) }).first else {
      return placeStack(root: screen.factory.pane(for: place, for: screen), in: pane)
    }
    identify(stack, as: pane)
    return stack
  }

  // MARK: Following the window

  /// Shows the layout that the configuration has for a width, if that layout has changed since it was last shown.
  func followWidth(_ columns: Int) {
    guard !screen.isLinear, columns > 0 else { return }
    let name = layoutWidths.last { $0.columns <= columns }?.name
    guard name != panes.widthLayout, !panes.isTyping else { return }
    panes.widthLayout = name
    panes.isWidthLayoutIncomplete = false
    if let own = layouts.first(where: { $0.name == name }) {
      show(own, isForWidth: true)
    } else if !layoutWidths.isEmpty {
      show(name.flatMap(ReadyLayout.init(rawValue:)) ?? settings.readyLayout)
    }
  }

  /// Shows the layout of the option messages-pane if the option has changed.
  func settingsDidChange() {
    if settings.readyLayout != readyLayout {
      readyLayout = settings.readyLayout
      if !screen.isLinear { show(readyLayout) }
    }
    panes.view.setNeedsUpdateProperties()
  }

  // MARK: Saving

  private func save(layoutNamed name: String) {
    guard OwnLayout.isName(name) else { return screen.say(OwnLayout.nameRule, .error) }
    guard let desk = settings.desk else { return screen.say(PromptWords.noConfig, .warning) }
    var names: [PaneID: PaneName] = [:]
    for pane in panes.tree.panes {
      guard let name = contents[pane]?.name(in: account) else {
        return screen.say(LayoutWords.unnamable(stack(of: pane).panes[0].titles.last ?? ""), .warning)
      }
      names[pane] = name
    }
    do throws(LayoutProblem) {
      let layout = try OwnLayout(name: name, text: panes.tree.map { names[$0]?.word ?? "" }.text)
      if let other = zip(layout.tree.panes, panes.tree.panes).first(where: { $0 != names[$1] }) {
        return screen.say(LayoutWords.unnamable(names[other.1]?.word ?? ""), .warning)
      }
      write(layout, desk)
    } catch {
      screen.say(error.sentence, .error)
    }
  }

  private func write(_ layout: OwnLayout, _ desk: any ConfigController) {
    do throws(ConfigFileError) {
      try desk.write(layout)
      screen.say(LayoutWords.saved(layout.name), .text)
    } catch {
      screen.say(error.sentence, .error)
    }
  }
}
