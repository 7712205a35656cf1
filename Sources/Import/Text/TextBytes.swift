extension ArraySlice<UInt8> {
  /// The bytes after a UTF-8 byte order mark, where there is one.
  var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
  }
}
