import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Quotes of a qwink: listing and revoking them, and changing who may quote it.
enum QuoteHandlers {
  static let routes = [
    Route(.get, "/api/v1/statuses/:id/quotes", .required) { request, transaction in
      try TimelineHandlers.answer(.quotes(transaction.target(request.id).id), request, transaction)
    },
    Route(.post, "/api/v1/statuses/:id/quotes/:quoting/revoke", .required) { request, transaction in
      let quoting = request.arguments.dropFirst().first.flatMap { Int64($0) }
      return ServiceResponse(
        WireEncoder.qwink, try transaction.qwink(transaction.revokeQuote(of: request.id, in: quoting)))
    },
    Route(.put, "/api/v1/statuses/:id/interaction_policy", .required) { request, transaction in
      let sent = try request.parametersInBodyOnly().refuseOthers(than: ["quote_approval_policy"])
      guard let policy: QuotePolicy = try sent.choice("quote_approval_policy") else {
        throw Refusal.invalid("quote_approval_policy is missing.")
      }
      try transaction.setQuotePolicy(of: request.id, to: policy)
      return ServiceResponse(WireEncoder.qwink, try transaction.qwink(request.id))
    },
  ]
}
