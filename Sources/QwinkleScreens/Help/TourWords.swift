import PaneKit

/// The words of the tour.
enum TourWords {
  /// Keys with what they do.
  struct Line: Hashable {
    let actions: [Action]
    let words: String
  }

  static let title = "A short tour"
  static let goesOn = "Space: next · any other key: begin"
  static let ends = "Space: begin"

  /// Where the keys are found, in this order.
  static let contexts: [KeyContext] = [.list, .qwink, .global, .always]

  static func pages(isSignedIn: Bool) -> [[Line]] {
    [
      [
        Line(actions: [.listNext, .listPrevious], words: "move through the list, like the arrows and the mouse"),
        Line(actions: [.open], words: "opens the thread of a qwink, or what is selected"),
        Line(actions: [.back], words: "goes back"),
        Line(actions: [.askToQuit], words: "quits; where you were is kept"),
      ],
      isSignedIn
        ? [
          Line(actions: [.compose], words: "writes a qwink; what you don't finish is a draft"),
          Line(actions: [.reply], words: "replies"),
          Line(actions: [.boost, .favourite, .bookmark], words: "boost, favourite, bookmark; the same key undoes it"),
          Line(actions: [.undo], words: "undoes what you did last"),
        ]
        : [
          Line(actions: [.sectionPublic], words: "everybody's qwinks on this server"),
          Line(actions: [.signIn], words: "signs in, to write and to follow people"),
        ],
      [
        Line(
          actions: isSignedIn ? [.sectionPublic, .sectionHome, .sectionMessages] : [.sectionPublic, .sectionSearch],
          words: "and other digits lead to the sections in the first row"),
        Line(actions: [.refresh], words: "fetches what is new"),
        Line(actions: [.command], words: "is the command line; Tab completes"),
        Line(actions: [.help], words: "lists all keys; man qwinkle has the rest"),
      ],
    ]
  }
}
