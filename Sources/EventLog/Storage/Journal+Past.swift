import Core

/// Earlier states.
extension Journal {
  /// The ID of the latest known event; events appended later have higher IDs.
  package var lastMoment: EventID { EventID(reading: clock.last, device: DeviceID(letters: 0x7a7a_7a7a_7a7a_7a7a)) }

  /// The journal as of an event, read-only; `self` if nothing came after it.
  ///
  /// Starts from the checkpoint if that is old enough, otherwise reads every line.
  package func past(_ last: EventID) throws(LogError) -> Journal {
    clock.last <= last.reading ? self : try Journal(self, upTo: last)
  }
}
