/// One replacement in a text, so that it can be made both ways.
struct TextEdit: Hashable, Sendable {
  let start: Int
  let removed: TextPiece
  let inserted: TextPiece
  let cursorBefore: Int
  let cursorAfter: Int
}

/// The edits that can be taken back and made again, in steps.
struct TextHistory: Hashable, Sendable {
  private static let maximumSteps = 500

  private var undoSteps: [[TextEdit]] = []
  private var redoSteps: [[TextEdit]] = []

  /// Keeps `edit`, as a step of its own or as part of the last one.
  mutating func record(_ edit: TextEdit, continuesStep: Bool) {
    redoSteps = []
    if continuesStep, let last = undoSteps.indices.last {
      undoSteps[last].append(edit)
    } else {
      undoSteps.append([edit])
      if undoSteps.count > Self.maximumSteps { undoSteps.removeFirst() }
    }
  }

  /// The step to take back, its edits in the order they were made.
  mutating func popUndo() -> [TextEdit]? {
    guard let step = undoSteps.popLast() else { return nil }
    redoSteps.append(step)
    return step
  }

  /// The step to make again.
  mutating func popRedo() -> [TextEdit]? {
    guard let step = redoSteps.popLast() else { return nil }
    undoSteps.append(step)
    return step
  }
}
