import Glibc

/// A UTC time formatted by `strftime`, at most 39 bytes. `gmtime_r`, `strftime`.
func formatted(_ moment: time_t, as format: String) -> String {
  var moment = moment
  var fields = tm()
  gmtime_r(&moment, &fields)
  return String(unsafeUninitializedCapacity: 40) { buffer in
    buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &fields) }
  }
}
