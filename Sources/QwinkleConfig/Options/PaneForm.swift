/// The forms of a ``PaneName``, for the manual.
public struct PaneForm: Sendable {
  public let form: String
  public let meaning: String

  public static let all = [
    PaneForm(form: PaneName.words.joined(separator: ", "), meaning: "A section, a timeline or another screen."),
    PaneForm(form: "#garden", meaning: "Posts with a hashtag; #garden+pond with any of several."),
    PaneForm(form: "list/Friends", meaning: "One of your lists."),
    PaneForm(form: "view/trains", meaning: "One of your views."),
    PaneForm(
      form: "tilde.example/local",
      meaning: "The local timeline of another server; tilde.example/public and tilde.example/#garden too."),
    PaneForm(form: "search/leek", meaning: "A search."),
    PaneForm(form: "@bob@tilde.example", meaning: "A profile."),
    PaneForm(
      form: "chat/@bob", meaning: "A chat that you have; the handles of several people have spaces between them."),
    PaneForm(form: "thread/109", meaning: "A post with its replies, by its ID on your server."),
  ]
}
