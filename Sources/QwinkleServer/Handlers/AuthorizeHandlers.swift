import HTTPTypes
import QwinkleModel
import QwinkleWire
import Timekeeping

/// The sign-in page. An app sends the user to this page to enter a name and password. The app then receives an
/// authorization code.
enum AuthorizeHandlers {
  static let routes = [
    Route(.get, "/oauth/authorize", outside: show),
    Route(.post, "/oauth/authorize", outside: decide),
  ]

  private static func show(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    try await withRequest(request.parameters(), request, service) { asked in
      form(asked, request, service)
    }
  }

  private static func decide(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    let sent = try request.bodyParameters()
    return try await withRequest(sent, request, service) { asked in
      let name = sent["name"] ?? ""
      guard service.forms.accepts(sent["seal"], from: request) else {
        return form(
          asked, request, service, name: name, status: .forbidden,
          complaint: "This page expired, or your browser blocks its cookies. Try again.")
      }
      if sent["answer"] == "deny" { return denied(asked) }
      return try await signIn(name, sent["password"] ?? "", asked, request, service)
    }
  }

  private static func signIn(
    _ given: String, _ password: String, _ asked: AuthorizationRequest, _ request: ServiceRequest, _ service: Service
  ) async throws -> ServiceResponse {
    // The limit on password guesses treats all invalid names as one name.
    let name = AccountName.valid(String(given.drop { $0 == "@" })) ?? ""
    func again(_ complaint: String, _ status: HTTPResponse.Status, after wait: Duration? = nil) -> ServiceResponse {
      var response = form(asked, request, service, name: given, status: status, complaint: complaint)
      if let wait { response.headers[.retryAfter] = String(wait.secondsToWait) }
      return response
    }
    if let wait = service.budget.beginGuess(name, request.client) {
      return again(
        "Too many attempts. Wait \(wait.waitInWords), then try again.", .tooManyRequests, after: wait)
    }
    let stored = try await service.read(request) { transaction in
      let account = try transaction.accountID(named: name)
      return (
        account: account, hash: try account.flatMap(transaction.passwordHash), outdated: try transaction.scryptHash(),
        isSuspended: try account.map(transaction.isSuspended) ?? false
      )
    }
    let checked = await service.passwords.check(
      password, against: stored.hash, besides: stored.outdated, for: request.client)
    guard let matches = checked else {
      service.budget.withdrawGuess(name, request.client)
      return again("The server is busy. Try again in a moment.", .serviceUnavailable, after: .seconds(2))
    }
    guard matches, let account = stored.account, let hash = stored.hash else {
      return again("Wrong name or password. Try again.", .forbidden)
    }
    service.budget.guessSucceeded(name, request.client)
    if stored.isSuspended { return again(Refusal.suspended.message, .forbidden) }
    let renewed = await service.passwords.renewed(hash, of: password, for: request.client)
    let code = try await service.write(request) { transaction in
      if let renewed { try transaction.replacePasswordHash(hash, with: renewed, of: account) }
      return try transaction.addCode(for: asked, account: account)
    }
    if asked.redirect.isOutOfBand { return SignInPage.code(code, for: asked) }
    return SignInPage.redirect(to: asked.redirect.adding([("code", code), ("state", asked.state)]))
  }

  private static func denied(_ asked: AuthorizationRequest) -> ServiceResponse {
    if asked.redirect.isOutOfBand {
      return WebPage.message(
        "Access denied. You can close this page.", title: "Access denied", status: .ok)
    }
    return SignInPage.redirect(
      to: asked.redirect.adding([
        ("error", "access_denied"), ("error_description", "The user denied access."), ("state", asked.state),
      ]))
  }

  /// Parses the app's authorization request and passes it to `body`. Returns an error page if the request is invalid.
  private static func withRequest(
    _ parameters: RequestParameters, _ request: ServiceRequest, _ service: Service,
    _ body: (AuthorizationRequest) async throws -> ServiceResponse
  ) async throws -> ServiceResponse {
    let asked: AuthorizationRequest
    do {
      asked = try await service.read(request) { try AuthorizationRequest(parameters, $0) }
    } catch let fault as AuthorizationRequest.Fault {
      return WebPage.message(fault.sentence, title: "Can’t sign in", status: .badRequest)
    }
    return try await body(asked)
  }

  private static func form(
    _ asked: AuthorizationRequest, _ request: ServiceRequest, _ service: Service, name: String = "",
    status: HTTPResponse.Status = .ok, complaint: String? = nil
  ) -> ServiceResponse {
    let (seal, cookie) = service.forms.seal(for: request)
    return SignInPage.form(
      asked, seal: seal, cookie: cookie, origin: request.origin, name: name, complaint: complaint,
      mayRegister: service.terms.isOpen, status: status)
  }
}
