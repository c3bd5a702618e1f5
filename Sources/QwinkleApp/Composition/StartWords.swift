/// What a start says of the screen that it does not restore.
enum StartWords {
  static let endedEarly = "The last start was cut short. This one is fresh; drafts are kept."
  static let otherVersion = "Your screen was saved by another version of Qwinkle, so this start is fresh."
}
