import Core

/// How the state is kept between programs, and while a long one runs.
extension Journal {
  /// Begins with the checkpoint, where there is one to rely on.
  func resume() {
    let now = now()
    guard let checkpoint = Checkpoint(in: folders, device: clock.device, now: now) else { return }
    if let last, checkpoint.clock.last > last.reading { return }
    state = checkpoint.state
    files = checkpoint.files
    for file in files { current[Directory.name(of: file.path)] = file }
    for deferred in checkpoint.ahead { ahead[deferred.event.id] = deferred }
    clock.catchUp(with: checkpoint.clock)
    map = checkpoint.map
    covered = (size: checkpoint.map.bytes.count, bytes: files.reduce(0) { $0 + $1.end })
  }

  /// Keeps the state in the cache where it would take long to read what was appended since it was kept last. A cache
  /// that cannot be written is nothing to be told of.
  package func keepCheckpoint() {
    let bytes = current.values.reduce(0) { $0 + $1.end }
    guard bytes > covered.bytes + UInt64(max(1 << 20, covered.size / 16)) else { return }
    try? writeCheckpoint()
  }

  /// Keeps the state in the cache as it is now.
  func writeCheckpoint() throws(LogError) {
    guard let coverage = try coverage() else { return }
    try Checkpoint.write(state, coverage, over: map, in: folders)
    let size = try FileStatus.of(folders.checkpoint).map { Int($0.size) } ?? 0
    covered = (size: size, bytes: coverage.files.reduce(0) { $0 + $1.end })
  }

  /// Keeps the state in the cache and goes on from there, where many videos are in memory: so that a first poll of
  /// thousands of channels takes little more room than a later one. Where that fails they stay in memory.
  func makeRoom() throws(LogError) {
    guard state.videos.changedCount >= max(roomForVideos, state.videos.storedCount / 5) else { return }
    try? writeCheckpoint()  // A cache that cannot be written is nothing to be told of.
    resume()
    try refresh()
    roomForVideos = max(roomForVideos, 2 * state.videos.changedCount)
  }

  /// What the state covers; nil where a place in it is one of a file that another one took the name of.
  private func coverage() throws(LogError) -> Coverage? {
    guard files.count == current.count else { return nil }
    let places = ahead.values.map { Coverage.Ahead(file: Int($0.file), offset: $0.offset) }
    return try Coverage(files: Coverage.Covered.all(of: files), ahead: places, clock: clock)
  }
}
