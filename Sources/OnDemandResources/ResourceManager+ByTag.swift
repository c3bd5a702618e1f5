/// Pausing, resuming and cancelling downloads by tag.
extension ResourceManager {
  /// Returns the requests for `tag` that are loading or paused.
  func pending(_ tag: ResourceTag) -> [ResourceRequest] {
    requests.values.compactMap(\.request).filter { request in
      request.tags.contains(tag) && (request.state == .loading || request.state == .paused)
    }
  }

  /// Pauses all loading requests for `tag`. The bytes received so far are saved. Returns whether any request was
  /// loading.
  @discardableResult
  public func pause(_ tag: ResourceTag) -> Bool { each(pending(tag).filter { $0.state == .loading }) { pause($0) } }

  /// Resumes all paused requests for `tag`. Returns whether any request was paused.
  @discardableResult
  public func resume(_ tag: ResourceTag) -> Bool { each(pending(tag).filter { $0.state == .paused }) { resume($0) } }

  /// Cancels all loading and paused requests for `tag`. The requests fail with ``ResourceError/cancelled``. Returns
  /// whether any request was loading or paused.
  @discardableResult
  public func cancel(_ tag: ResourceTag) -> Bool {
    defer { tellChange() }
    return each(pending(tag)) { cancel($0) }
  }

  private func each(_ requests: [ResourceRequest], _ change: (ResourceRequest) -> Void) -> Bool {
    requests.forEach(change)
    return !requests.isEmpty
  }
}
