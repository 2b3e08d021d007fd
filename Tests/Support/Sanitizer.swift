/// What a sanitizer of the compiler does to a program.
package enum Sanitizer {
  /// How many times the memory that the program uses otherwise; 1 without a sanitizer.
  package static var memory: Int {
    loadedSymbol("__tsan_init") != nil || loadedSymbol("__asan_init") != nil ? 20 : 1
  }
}
