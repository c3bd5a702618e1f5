extension Action {
  public static let listNext: Action = "list.next"
  public static let listPrevious: Action = "list.previous"
  public static let listLineDown: Action = "list.line-down"
  public static let listLineUp: Action = "list.line-up"
  public static let listHalfDown: Action = "list.half-down"
  public static let listHalfUp: Action = "list.half-up"
  public static let listPageDown: Action = "list.page-down"
  public static let listPageUp: Action = "list.page-up"
  public static let listFirst: Action = "list.first"
  public static let listLast: Action = "list.last"

  /// Actions that the user can repeat by typing a number before the key.
  static let ofLists: Set<Action> = [
    .listNext, .listPrevious, .listLineDown, .listLineUp, .listHalfDown, .listHalfUp, .listPageDown, .listPageUp,
  ]
}

extension ListView {
  /// Registers this list's handlers for the list actions.
  public func performListActions() {
    on(.listNext) { [weak self] in self?.moveSelection(by: 1) }
    on(.listPrevious) { [weak self] in self?.moveSelection(by: -1) }
    on(.listLineDown) { [weak self] in self?.scroll(by: 1) }
    on(.listLineUp) { [weak self] in self?.scroll(by: -1) }
    on(.listHalfDown) { [weak self] in self?.scroll(byPages: 0.5) }
    on(.listHalfUp) { [weak self] in self?.scroll(byPages: -0.5) }
    on(.listPageDown) { [weak self] in self?.scroll(byPages: 1) }
    on(.listPageUp) { [weak self] in self?.scroll(byPages: -1) }
    on(.listFirst) { [weak self] in self?.select(0) }
    on(.listLast) { [weak self] in
      guard let self else { return }
      select(count - 1)
    }
  }
}
