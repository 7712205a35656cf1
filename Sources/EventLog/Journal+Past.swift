import Core

/// What was so before.
extension Journal {
  /// The last event that is known: what is appended later has a higher id.
  package var lastMoment: EventID { EventID(reading: clock.last, device: DeviceID(letters: 0x7a7a_7a7a_7a7a_7a7a)) }

  /// The journal as it was up to an event; this one where nothing came since. To be read, never appended to.
  ///
  /// From the checkpoint where that is old enough; else every line is read.
  package func past(_ last: EventID) throws(LogError) -> Journal {
    clock.last <= last.reading ? self : try Journal(self, upTo: last)
  }
}
