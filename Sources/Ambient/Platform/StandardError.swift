/// Standard error, for reports that must be seen when all else fails.
package enum StandardError {
  package static func write(_ text: String) {
    var text = text
    WriteSignals.surviveClosedPipe()
    // The error is ignored, because a failure of standard error can be reported nowhere else.
    text.withUTF8 { try? FileDescriptor.standardError.write(UnsafeRawBufferPointer($0)) }
  }
}
