/// One replacement in a text, with the information to undo and redo it.
struct TextEdit: Hashable, Sendable {
  let start: Int
  let removed: TextPiece
  let inserted: TextPiece
  let cursorBefore: Int
  let cursorAfter: Int
}

/// The edits that can be undone and redone, grouped into steps.
struct TextHistory: Hashable, Sendable {
  private static let maximumSteps = 500

  private var undoSteps: [[TextEdit]] = []
  private var redoSteps: [[TextEdit]] = []

  /// Records `edit` as a new step, or as part of the last one. Undone steps can no longer be redone after that.
  mutating func record(_ edit: TextEdit, continuesStep: Bool) {
    redoSteps = []
    if continuesStep, let last = undoSteps.indices.last {
      undoSteps[last].append(edit)
    } else {
      undoSteps.append([edit])
      if undoSteps.count > Self.maximumSteps { undoSteps.removeFirst() }
    }
  }

  /// Returns the step to undo. Its edits are in the order in which they were made.
  mutating func popUndo() -> [TextEdit]? {
    guard let step = undoSteps.popLast() else { return nil }
    redoSteps.append(step)
    return step
  }

  /// Returns the step to redo.
  mutating func popRedo() -> [TextEdit]? {
    guard let step = redoSteps.popLast() else { return nil }
    undoSteps.append(step)
    return step
  }
}
