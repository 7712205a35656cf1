import Glibc

/// Waits until a condition holds, but no longer than five minutes: more than a busy machine needs. The test then fails by
/// what it asserts.
package func wait(until condition: () throws -> Bool) rethrows {
  for _ in 0..<30_000 {
    if try condition() { return }
    usleep(10_000)
  }
}
