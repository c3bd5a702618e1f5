import GRDB
import HTTPTypes
import Synchronization
import Timekeeping

/// Reads answered from the cache.
extension Service {
  /// Returns the cached response to a request, ready to be sent, if it is available without waiting. Otherwise, returns
  /// nil, and the caller has to use ``respond(to:)``.
  func cachedResponse(to request: ServiceRequest) -> WrittenResponse? {
    guard request.method == .get, request.body.isEmpty, isAllowed(request),
      let route = try? Self.router.route(for: request), case .inside = route.work, !route.writes, route.limits.isEmpty,
      !agenda.isDue(at: clock.now.milliseconds),
      let answers = opened.withLockIfAvailable({ $0.connection?.answers }) ?? nil,
      let answer = cachedAnswer(AnswerCache.Key(request, for: route), request, answers, at: answers.currentVersion)
    else { return nil }
    request.note.route = route.pattern
    var response = WrittenResponse(answer)
    CrossOrigin.open(&response.head.headerFields, request.segments)
    return response
  }

  /// Returns the cached response to a request. If no response is cached, runs `work` and caches the result. The
  /// response is compressed if the client accepts gzip.
  func read(
    _ request: ServiceRequest, for route: Route, _ connection: ServiceConnection, _ answers: AnswerCache,
    _ work: @escaping @Sendable (Database) throws -> WrittenResponse
  ) async throws -> WrittenResponse {
    let key = AnswerCache.Key(request, for: route)
    if let answer = cachedAnswer(key, request, answers, at: answers.currentVersion) { return WrittenResponse(answer) }
    var plainKey = key
    plainKey.takesGzip = false
    return try await connection.read(for: request.client, within: readLimit, budget) { [clock, plainKey] db in
      // Another request may have cached the response while this one waited for its turn.
      let version = answers.currentVersion
      if let answer = self.cachedAnswer(key, request, answers, at: version) { return WrittenResponse(answer) }
      func keep(_ response: WrittenResponse, for key: AnswerCache.Key) {
        guard let version else { return }
        let answer = AnswerCache.Answer(head: response.head, body: response.body, viewer: request.note.viewer)
        answers.keep(answer, for: key, at: version, now: clock.uptime)
      }
      var response: WrittenResponse
      if let answer = self.cachedAnswer(plainKey, request, answers, at: version) {
        response = WrittenResponse(answer)
      } else {
        response = try work(db)
        keep(response, for: plainKey)
      }
      if key.takesGzip {
        // Compress during the client's turn, so that the time counts as use by the client. Compressing takes about as
        // long as reading.
        Compression.compress(&response, for: request)
        keep(response, for: key)
      }
      return response
    }
  }

  private func cachedAnswer(
    _ key: AnswerCache.Key, _ request: ServiceRequest, _ answers: AnswerCache, at version: Int64?
  ) -> AnswerCache.Answer? {
    guard let version, let answer = answers.answer(to: key, at: version, now: clock.uptime) else { return nil }
    request.note.viewer = answer.viewer
    return answer
  }
}

extension WrittenResponse {
  fileprivate init(_ answer: AnswerCache.Answer) {
    self.init(head: answer.head, body: answer.body)
  }
}
