extension TrackedEvent {
  /// Calls `body` with the bytes of ``json``, which are valid until it returns.
  package func withLine<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    LineBuffer.with { line in
      append(to: &line)
      return body(line.bytes)
    }
  }
}
