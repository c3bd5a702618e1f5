import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Timekeeping

/// Registers new users, if the operator allows it. Users register in an app, which sends its own token, or on a web
/// page.
enum RegistrationHandlers {
  static let routes = [
    Route(.post, "/api/v1/accounts", outside: register),
    Route(.get, path, outside: show),
    Route(.post, path, outside: take),
  ]

  /// Path of the registration page.
  static let path = "/register"

  private enum Outcome {
    case made(token: String, scopes: Scopes)
    case faulty(Registration)
    case busy
  }

  private static let closed = Refusal(
    status: .forbidden, message: "Registration is closed here. Ask the operator of this server for an account.")

  // MARK: By an app

  private static func register(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    guard service.terms.isOpen else { throw closed }
    let app = try await app(of: request, service)
    let sent = try request.parameters().refuseOthers(
      than: [
        "username", "password", "email", "agreement", "locale", "time_zone", "reason", "client_id", "client_secret",
        // Mastodon.py adds this option.
        "return_detailed_error",
      ])
    let (outcome, standing) = try await add(Registration(sent), app: app.id, app.scopes, request, service)
    var response: ServiceResponse
    switch outcome {
    case .made(let token, let scopes):
      let created = Int(service.clock.now.timeIntervalSince1970)
      response = ServiceResponse(.json { WireEncoder.token(token, scope: scopes.text, createdAt: created) })
      response.headers[.cacheControl] = "no-store"
    case .faulty(let registration):
      response = ServiceResponse(.json { registration.json }, status: .unprocessableContent)
    case .busy:
      response = Refusal(status: .serviceUnavailable, message: busy, headers: [.retryAfter: "2"]).response
    }
    standing?.write(to: &response.headers)
    return response
  }

  /// Returns the app that a request's token belongs to, and the token's scopes. Throws if the token belongs to a user
  /// or lacks the scope `write:accounts`.
  private static func app(
    of request: ServiceRequest, _ service: Service
  ) async throws -> (id: Int64, scopes: Scopes) {
    guard let token = request.token else { throw Refusal.unauthorized("This needs an app's token.") }
    guard let holder = try await service.read(request, { try $0.holder(ofToken: token) }) else {
      throw Refusal.unauthorized("The access token is not valid.")
    }
    guard let app = holder.app, holder.account == nil else {
      throw Refusal(status: .forbidden, message: "This needs an app's own token, not a user's.")
    }
    guard holder.scopes.allow("write:accounts") else { throw Refusal.outsideScope("write:accounts") }
    return (app, holder.scopes)
  }

  // MARK: On the page

  private static func show(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    guard service.terms.isOpen else { return closedPage }
    return try await page(request, service)
  }

  private static func take(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    guard service.terms.isOpen else { return closedPage }
    let sent = try request.bodyParameters()
    let registration = try Registration(sent)
    let name = sent["username"] ?? ""
    guard service.forms.accepts(sent["seal"], from: request) else {
      return try await page(
        request, service, name: name, status: .forbidden,
        complaint: "This page expired, or your browser blocks its cookies. Try again.")
    }
    do {
      switch try await add(registration, app: nil, Scopes(""), request, service).outcome {
      case .made: return RegistrationPage.welcome(registration.name, origin: request.origin)
      case .faulty(let registration):
        return try await page(
          request, service, name: name, status: .unprocessableContent, complaint: registration.complaint)
      case .busy: return try await page(request, service, name: name, status: .serviceUnavailable, complaint: busy)
      }
    } catch let refusal as Refusal {
      var response = try await page(request, service, name: name, status: refusal.status, complaint: refusal.message)
      for field in refusal.headers { response.headers[field.name] = field.value }
      return response
    }
  }

  private static var closedPage: ServiceResponse {
    WebPage.message(closed.message, title: "Registration is closed", status: .forbidden)
  }

  private static func page(
    _ request: ServiceRequest, _ service: Service, name: String = "", status: HTTPResponse.Status = .ok,
    complaint: String? = nil
  ) async throws -> ServiceResponse {
    let rules = try await service.read(request) { try $0.rules() }
    let (seal, cookie) = service.forms.seal(for: request, path: path)
    return RegistrationPage.form(
      seal: seal, cookie: cookie, origin: request.origin, rules: rules.map(\.text), name: name,
      complaint: complaint, status: status)
  }

  // MARK: Both

  private static let busy = "The server is busy. Try again in a moment."

  /// Adds a user if the registration is valid. If the user registers in an app, the outcome contains the app's token
  /// for the new user.
  private static func add(
    _ given: Registration, app: Int64?, _ scopes: Scopes, _ request: ServiceRequest, _ service: Service
  ) async throws -> (outcome: Outcome, standing: Budget.Standing?) {
    var registration = given
    let name = registration.name
    if !name.isEmpty, try await service.read(request, { try $0.accountID(named: name) }) != nil {
      registration.nameIsTaken()
    }
    guard registration.faults.isEmpty else { return (.faulty(registration), nil) }
    let standing = try service.budget.count(.registrations, of: request.client)
    // After counting, because a lookup can be slow and shows who is a user of the host.
    if try await service.isUnixUser(name) {
      registration.nameIsTaken()
      return (.faulty(registration), standing)
    }
    guard let hash = try await service.passwords.hash(of: registration.password, for: request.client) else {
      return (.busy, standing)
    }
    let token = try await service.write(request) { transaction -> String? in
      guard try transaction.accountID(named: name) == nil else { return nil }
      let id = try transaction.addAccount(name: name, displayName: name)
      try transaction.setPasswordHash(hash, of: id)
      return try app.map { try transaction.addToken(account: id, app: $0, scopes: scopes) } ?? ""
    }
    guard let token else {
      registration.nameIsTaken()
      return (.faulty(registration), standing)
    }
    return (.made(token: token, scopes: scopes), standing)
  }
}
