import Foundation

/// The descriptors 0, 1 and 2, which every program expects to be open.
enum StandardStreams {
  /// Opens those that whoever started the program has closed, so that no file takes their place.
  ///
  /// They read as empty, and writing to them fails: a result that nobody gets is an error. Call it
  /// before anything else opens a file.
  static func openClosed() {
    // A new descriptor is the lowest that is free; those below are open already.
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
