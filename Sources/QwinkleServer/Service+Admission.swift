import HTTPTypes

/// Authentication outside a handler's transaction.
extension Service {
  /// Returns the account that sent a request, for a route whose handler runs outside transactions. Returns nil if the
  /// route doesn't require an account and the request has no user's token.
  func viewer(of request: ServiceRequest, for route: Route) async throws -> Int64? {
    let owner = try connection().owner
    let viewer = try await read(request) { transaction in
      var transaction = transaction
      try self.identify(request, for: route, owner: owner, &transaction)
      return transaction.viewer
    }
    request.note.viewer = viewer
    return viewer
  }

  /// Authenticates the sender of a long body before the body is received. Returns the sender's account or the refusal.
  @concurrent
  func admission(of request: ServiceRequest) async -> Result<Int64, Refusal> {
    do {
      let route = try Self.router.route(for: request)
      request.note.route = route.pattern
      guard let viewer = try await withUnixUser(of: request, { try await viewer(of: request, for: route) }) else {
        return .failure(.unauthorized("Sign in first."))
      }
      return .success(viewer)
    } catch let refusal as Refusal {
      return .failure(refusal)
    } catch is UnreadUnixUser {
      return .failure(.unknownUser)
    } catch is CancellationError {
      return .failure(.unwanted)
    } catch {
      let response = failure(error, of: request)
      guard case .error(let message) = response.content else { return .failure(.notFound) }
      return .failure(Refusal(status: response.status, message: message, headers: response.headers))
    }
  }
}
