extension Schema {
  /// Blurhashes of pictures. Those uploaded before have none.
  static let blurhash = "ALTER TABLE media ADD COLUMN blurhash TEXT;"
}
