/// The effect of a compiler's sanitizer on a program.
package enum Sanitizer {
  /// The factor by which a sanitizer may increase the use of memory; 1 without a sanitizer.
  package static var memory: Int {
    loadedSymbol("__tsan_init") != nil || loadedSymbol("__asan_init") != nil ? 20 : 1
  }
}
