import PaneKit

/// The words of the tour.
enum TourWords {
  /// Keys with what they do.
  struct Line: Hashable {
    let actions: [Action]
    let words: String
  }

  static let title = "A short tour"
  static let goesOn = "Space: next"
  static let ends = "Space: begin"

  /// Where the keys are found, in this order.
  static let contexts: [KeyContext] = [.list, .qwink, .global, .always]

  static func pages(isSignedIn: Bool) -> [[Line]] {
    [
      [
        Line(actions: [.listNext, .listPrevious], words: "move through the list"),
        Line(actions: [.open], words: "opens the thread"),
        Line(actions: [.back], words: "goes back, and quits at the start"),
        Line(actions: [], words: "Other keys do what they always do."),
      ],
      isSignedIn
        ? [
          Line(actions: [.compose], words: "writes; what you leave is a draft"),
          Line(actions: [.reply], words: "replies"),
          Line(actions: [.boost, .favourite, .bookmark], words: "boost, favourite, bookmark"),
          Line(actions: [.undo], words: "undoes the last of these"),
        ]
        : [
          Line(actions: [.sectionPublic], words: "everybody's qwinks here"),
          Line(actions: [.signIn], words: "signs in, to write and follow"),
        ],
      [
        Line(
          actions: isSignedIn ? [.sectionPublic, .sectionHome, .sectionMessages] : [.sectionPublic, .sectionSearch],
          words: "and more digits: the sections"),
        Line(actions: [.refresh], words: "fetches what is new"),
        Line(actions: [.command], words: "is the command line"),
        Line(actions: [.help], words: "lists all keys"),
      ],
    ]
  }
}
