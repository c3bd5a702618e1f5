/// What the user does to downloads by tag: pause, resume, cancel.
extension ResourceManager {
  /// The requests of a tag that load, or wait until they are resumed.
  func pending(_ tag: ResourceTag) -> [ResourceRequest] {
    requests.values.compactMap(\.request).filter { request in
      request.tags.contains(tag) && (request.state == .loading || request.state == .paused)
    }
  }

  /// Has the loading of a tag wait. What has arrived is kept. Returns whether something was loading.
  @discardableResult
  public func pause(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag).filter { $0.state == .loading }
    for request in requests { pause(request) }
    return !requests.isEmpty
  }

  /// Goes on with what was paused. Returns whether something was.
  @discardableResult
  public func resume(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag).filter { $0.state == .paused }
    for request in requests { resume(request) }
    return !requests.isEmpty
  }

  /// Stops the loading of a tag: those who asked hear that it was cancelled. Returns whether something was loading or
  /// paused.
  @discardableResult
  public func cancel(_ tag: ResourceTag) -> Bool {
    let requests = pending(tag)
    for request in requests { cancel(request) }
    tellChange()
    return !requests.isEmpty
  }
}
