extension Schema {
  /// What a picture looks like from afar. Those uploaded before have none.
  static let blurhash = "ALTER TABLE media ADD COLUMN blurhash TEXT;"
}
