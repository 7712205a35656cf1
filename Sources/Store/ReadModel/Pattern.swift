import CPCRE2
import Core

/// A regular expression in PCRE2's syntax (`man pcre2pattern`), without regard to case and accents. The only file that
/// touches PCRE2's pointers.
///
/// Matching takes a bounded number of steps whatever the expression and the texts are; a text on which they are not
/// enough has no verdict. `^` and `$` are the ends of the text; `.` is any character but a line feed.
///
/// Not for two threads at once.
final package class Pattern {
  /// The maximum length of an expression, characters.
  package static let longest = 500
  /// The maximum depth of brackets.
  package static let deepest: UInt32 = 50

  private let code: OpaquePointer
  private let data: OpaquePointer
  private let context: OpaquePointer
  private let stack: OpaquePointer?
  private let count: UnsafeMutablePointer<StepCount>

  /// The maximum number of steps on one text: 10 ms of a core.
  package static let maxSteps = 1_000_000
  /// The steps that are left for all texts together; at first 4 s of a core. Without any, no text has a verdict.
  package var stepsLeft = 300 * Pattern.maxSteps
  /// The steps that several patterns share, each within its own limits; nil for a pattern alone.
  package var shared: Steps?

  /// Steps that patterns share.
  final package class Steps {
    package var left: Int
    package init(_ count: Int) { left = count }
  }

  /// What one text says to a pattern.
  package enum Match: Equatable, Sendable {
    case yes, no
    /// The bounded steps ended before there was a verdict.
    case limitReached
  }

  /// The pattern of a text. Throws what is wrong with it and where (`pcre2_compile`).
  package init(_ text: String) throws(PatternError) {
    guard text.unicodeScalars.count <= Pattern.longest else { throw .tooLong(limit: Pattern.longest) }
    let folded = try FoldedPattern(text)
    code = try Pattern.compiled(folded)
    // Where memory may not be executable this fails, and the interpreter matches.
    let isJIT = pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE)) == 0
    guard let data = pcre2_match_data_create_8(1, nil), let context = pcre2_match_context_create_8(nil) else {
      fatalError("PCRE2: out of memory")
    }
    (self.data, self.context) = (data, context)
    count = .allocate(capacity: 1)
    count.initialize(to: StepCount())
    pcre2_set_callout_8(context, StepCount.add, count)
    // For one position of a text to begin at; `StepCount` is for all of them.
    pcre2_set_match_limit_8(context, 100_000)
    pcre2_set_depth_limit_8(context, 10_000)
    pcre2_set_heap_limit_8(context, 20_000)
    // The 32 KiB that it takes of the thread's own stack are too few for long texts.
    stack = isJIT ? pcre2_jit_stack_create_8(32 * 1024, 1024 * 1024, nil) : nil
    if let stack { pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack)) }
  }

  deinit {
    if let stack { pcre2_jit_stack_free_8(stack) }
    pcre2_match_context_free_8(context)
    pcre2_match_data_free_8(data)
    pcre2_code_free_8(code)
    count.deallocate()
  }

  /// Whether it matches every text.
  package var isEverywhere: Bool { Pattern.probes.allSatisfy { match($0) == .yes } }

  /// Whether the pattern is somewhere in a text that `NormalizedText` normalised (`pcre2_match`).
  package func match(_ folded: [UInt8]) -> Match {
    let maximum = min(stepsLeft, shared?.left ?? .max, Pattern.maxSteps)
    guard maximum > 0 else { return .limitReached }
    count.pointee = StepCount(left: maximum)
    defer {
      let steps = max(1, min(maximum, maximum - count.pointee.left))
      stepsLeft -= steps
      shared?.left -= steps
    }
    let result = folded.withUnsafeBufferPointer { bytes in
      // What was normalised is valid UTF-8.
      pcre2_match_8(
        code, bytes.baseAddress ?? Pattern.nothing, bytes.count, 0, UInt32(PCRE2_NO_UTF_CHECK), data, context)
    }
    return result >= 0 ? .yes : result == PCRE2_ERROR_NOMATCH ? .no : .limitReached
  }

  /// Older versions of PCRE2 refuse a null pointer even with no bytes.
  nonisolated(unsafe) private static let nothing = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

  private static func compiled(_ pattern: FoldedPattern) throws(PatternError) -> OpaquePointer {
    guard let context = pcre2_compile_context_create_8(nil) else { fatalError("PCRE2: out of memory") }
    defer { pcre2_compile_context_free_8(context) }
    // Normalising lengthens few characters.
    pcre2_set_max_pattern_length_8(context, longest * 8)
    pcre2_set_parens_nest_limit_8(context, deepest)
    let options =
      PCRE2_UTF | UInt32(PCRE2_UCP) | UInt32(PCRE2_CASELESS) | UInt32(PCRE2_DOLLAR_ENDONLY)
      | UInt32(PCRE2_NEVER_BACKSLASH_C) | UInt32(PCRE2_AUTO_CALLOUT)
    var (error, offset): (Int32, Int) = (0, 0)
    let code = pattern.bytes.withUnsafeBufferPointer { bytes in
      pcre2_compile_8(bytes.baseAddress ?? nothing, bytes.count, options, &error, &offset, context)
    }
    guard let code else { throw .invalid(position: pattern.position(of: offset), message(error)) }
    return code
  }

  /// PCRE2's message for an error (`pcre2_get_error_message`).
  private static func message(_ error: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = pcre2_get_error_message_8(error, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
  }

  /// Texts that have nothing in common: what matches all of them asks for nothing. None is empty or only a line feed,
  /// as no title is. The last one has every sign of ASCII and is longer than a repetition can count.
  private static let probes: [[UInt8]] = [
    Array("a".utf8), Array(" ".utf8), Array("!".utf8), Array("東é".utf8),
    (0..<800).flatMap { _ in Array((1..<0x80 as Range<UInt8>)) },
  ]
}

/// Counts the steps of a match: PCRE2 limits those from one position of a text, and reports none (`man pcre2callout`).
private struct StepCount {
  var left = 0
  /// Where the last step was, in bytes.
  var position = 0

  /// Called before each part of a pattern that is tried; ends the match when no step is left.
  static let add: @convention(c) (UnsafeMutablePointer<pcre2_callout_block_8>?, UnsafeMutableRawPointer?) -> Int32 = {
    block, data in
    guard let block, let count = data?.assumingMemoryBound(to: StepCount.self) else { return PCRE2_ERROR_CALLOUT }
    let position = block.pointee.current_position
    // What one part runs over, such as `.*`, takes time too.
    count.pointee.left -= 1 + max(0, position - count.pointee.position) / 16
    count.pointee.position = position
    return count.pointee.left > 0 ? 0 : PCRE2_ERROR_CALLOUT
  }
}

/// Why a text is not a pattern; positions count characters from 1.
package enum PatternError: Error, Equatable {
  case tooLong(limit: Int)
  /// PCRE2's message about what is wrong.
  case invalid(position: Int, String)
  /// A callout: `(?C1)`.
  case unsupported(position: Int)
  /// It is one, but all its steps were not enough for the texts.
  case tooSlow
}
