extension Schema {
  /// Adds the blurhashes of pictures. Pictures uploaded before this migration have none.
  static let blurhash = "ALTER TABLE media ADD COLUMN blurhash TEXT;"
}
