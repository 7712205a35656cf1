import Hummingbird
import NIOCore

/// What a request comes with besides itself.
struct HubContext: InitializableFromSource {
  let channel: any Channel

  init(source: ApplicationRequestContextSource) { channel = source.channel }
}
