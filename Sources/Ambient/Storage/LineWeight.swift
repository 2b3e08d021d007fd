/// The importance of a line, which decides whether it is dropped or written first.
enum LineWeight {
  /// Dropped first when the buffer is full.
  case ordinary
  /// Has room reserved in the buffer.
  case important
  /// Like `important`; the buffer, with this line, is also written to the file at once.
  case urgent
}
