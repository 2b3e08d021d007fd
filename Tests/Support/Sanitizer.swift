internal import Foundation

/// What a sanitizer of the compiler does to a program.
package enum Sanitizer {
  /// How many times the memory that the program uses otherwise; 1 without a sanitizer.
  package static var memory: Int {
    dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil ? 20 : 1
  }
}
