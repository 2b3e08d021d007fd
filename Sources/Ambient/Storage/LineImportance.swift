/// The importance of a line. It decides which lines are dropped when the buffer is full, and which
/// lines are written to the file at once.
enum LineImportance {
  /// A line that may not use the room that the buffer reserves for `important` lines. Therefore,
  /// ordinary lines are the first to be dropped when the buffer fills up.
  case ordinary
  /// A line for which room is reserved in the buffer.
  case important
  /// A line for which room is reserved, as for `important`. When it is appended, the whole buffer,
  /// with this line, is written to the file at once.
  case urgent
}
