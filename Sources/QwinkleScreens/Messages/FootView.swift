import PaneKit
import Terminal

/// Aligns its content to the bottom, so that a short chat is next to the entry.
final class FootView: View {
  private let content: View

  init(_ content: View) {
    self.content = content
    super.init()
    addSubview(content)
  }

  override func layout(in size: Size) -> Layout? { .rows([.fill: nil, .intrinsic: content]) }
}
