import Core

/// What was so before.
extension Journal {
  /// Up to where the events are known to one who looked at `now`: what is appended later has a higher id.
  package func moment(at now: Timestamp) -> EventID {
    let second = UInt64(clamping: now.seconds) * 1000 << 16
    return clock.last < second
      ? EventID(reading: second, device: DeviceID(letters: 0x3030_3030_3030_3030))
      : EventID(reading: clock.last, device: DeviceID(letters: 0x7a7a_7a7a_7a7a_7a7a))
  }

  /// The journal as it was up to an event; this one where nothing came since. To be read, never appended to.
  ///
  /// From the checkpoint where that is old enough; else every line is read.
  package func past(_ last: EventID) throws(LogError) -> Journal {
    clock.last <= last.reading ? self : try Journal(self, upTo: last)
  }
}
