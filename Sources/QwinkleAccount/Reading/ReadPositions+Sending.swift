public import QwinkleModel
public import QwinkleService

extension ReadPositions {
  /// Saves the marks, sends the position in a list to the server, and waits for the answer. For commands, which end
  /// before the usual delay. Does nothing more than save if the server doesn't support markers.
  public func send(_ place: ReadPosition.Place) async throws(DownloadError) {
    save()
    guard connection.isSignedIn, let mark = mark(in: place.list) else { return }
    do throws(DownloadError) {
      _ = try await connection.answer(to: .setReadPositions([ReadPosition(place: place, lastReadID: mark.id)]))
    } catch {
      if !ServerMarkers.isLack(error) { throw error }
    }
  }
}
