/// Everything that the service answers. Of two routes that match, the one written first answers: fixed paths come
/// before those that take any id.
enum Routes {
  static let all = [
    InstanceHandlers.routes,
    SignInHandlers.routes,
    PeopleHandlers.routes,
    ProfileHandlers.routes,
    AccountHandlers.routes,
    StatusHandlers.routes,
    ReactionHandlers.routes,
    ConversationHandlers.routes,
    NotificationHandlers.routes,
    MarkerHandlers.routes,
    TimelineHandlers.routes,
    TagHandlers.routes,
    SearchHandlers.routes,
    AbsentHandlers.routes,
    PageHandlers.routes,
  ].flatMap(\.self)
}
