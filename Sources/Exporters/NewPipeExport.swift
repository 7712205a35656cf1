import Core

extension SubscriptionDocument {
  /// The subscriptions file of NewPipe and its forks: channels and unresolved names with their titles, but no
  /// playlists, which NewPipe does not have as subscriptions.
  ///
  /// `{"app_version":"…","app_version_int":0,"subscriptions":[{"service_id":0,"url":"…","name":"…"}]}`
  package static func newPipe(of state: State) -> SubscriptionDocument {
    var document = SubscriptionDocument()
    document.write("{\"app_version\":\"0.27.0\",\"app_version_int\":997,\"subscriptions\":[")
    for channel in state.followed {
      guard channel.id.channel != nil else {
        document.leftOut += 1
        continue
      }
      document.writeNewPipe(url: channel.id.url, name: channel.exportedTitle)
    }
    for name in state.unresolved { document.writeNewPipe(url: name.page, name: name.title ?? name.handle) }
    document.write("\n]}\n")
    return document
  }

  /// Appends one subscription; service 0 is YouTube.
  private mutating func writeNewPipe(url: String, name: String) {
    write(count == 0 ? "\n{\"service_id\":0,\"url\":" : ",\n{\"service_id\":0,\"url\":")
    writeJSON(url)
    write(",\"name\":")
    writeJSON(name)
    write("}")
    count += 1
  }
}
