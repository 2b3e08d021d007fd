/// The effect of a compiler's sanitizer on a program.
package enum Sanitizer {
  /// The factor by which a sanitizer may increase the use of memory; 1 without a sanitizer.
  package static var memory: Int { isLoaded ? 20 : 1 }

  /// The factor by which a test of many rounds has fewer of them; 1 without a sanitizer.
  package static var rounds: Int { isLoaded ? 5 : 1 }

  /// Whether the program has a sanitizer.
  package static var isLoaded: Bool {
    loadedSymbol("__tsan_init") != nil || loadedSymbol("__asan_init") != nil
  }
}
