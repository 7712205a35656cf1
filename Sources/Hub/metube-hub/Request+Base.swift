import HTTPTypes
import Hummingbird

extension Request {
  /// The request with the path that it has within the hub: without `base`, which a proxy may have removed already.
  func local(below base: String) -> Request {
    guard !base.isEmpty, let path = head.path, path.hasPrefix(base) else { return self }
    let rest = path.dropFirst(base.count)
    guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { return self }
    var head = head
    head.path = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
    return Request(head: head, body: body)
  }
}
