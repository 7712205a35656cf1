import Glibc

/// A system thread that runs one closure; its creator joins it once.
struct Thread: Sendable {
  private let handle: pthread_t

  /// Starts a thread; nil if the system has none left. `pthread_create`.
  static func start(_ work: @escaping @Sendable () -> Void) -> Thread? {
    let context = Unmanaged.passRetained(Work(run: work))
    var handle = pthread_t()
    let code = pthread_create(&handle, nil, Thread.main, context.toOpaque())
    guard code == 0 else {
      context.release()
      return nil
    }
    return Thread(handle: handle)
  }

  /// Waits until the closure has returned. `pthread_join`.
  func join() { pthread_join(handle, nil) }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run() }
    return nil
  }

  /// The closure, boxed to pass through a C pointer.
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
