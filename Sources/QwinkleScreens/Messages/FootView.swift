import PaneKit
import Terminal

/// Shows its view at its foot, so that few messages stand next to the entry.
final class FootView: View {
  private let content: View

  init(_ content: View) {
    self.content = content
    super.init()
    addSubview(content)
  }

  override func layout(in size: Size) -> Layout? { .rows([.fill: nil, .intrinsic: content]) }
}
