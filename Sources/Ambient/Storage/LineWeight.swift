/// The importance of a line, which decides whether it is dropped or written first.
enum LineWeight {
  /// Dropped first when the buffer is full.
  case ordinary
  /// Has room reserved in the buffer.
  case important
  /// Like `important`, and written to the file without waiting in the buffer.
  case urgent
}
