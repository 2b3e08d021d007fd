// SPDX-License-Identifier: Apache-2.0

// Unavailable members that people write first, as other libraries have them. The compiler's error
// says what to write instead. The type checker skips an unavailable member if an expression has
// another meaning.
//
// No overload with a block accepts the labels and the number of arguments of an available method.
// With such an overload, the compiler may choose the asynchronous variant of the available method
// in an asynchronous function, and then reject a correct call for its missing `await`.

extension AmbientService {
  @available(*, unavailable, message: "write instance.flush()") public static func flush() {}
  @available(*, unavailable, renamed: "instance") public static var shared: Self { fatalError() }
  @available(*, unavailable, message: "write await AmbientScope.shutdown(within: .seconds(5))")
  public static func shutdown() {}
  @available(*, unavailable, message: "write await AmbientScope.shutdown(within: .seconds(5))")
  public func shutdown() {}
}

@available(*, unavailable, message: "write StdoutLog(), NoLog(), StdoutAnalytics(), NoAnalytics()")
extension AmbientService {
  public static var stdout: Self { fatalError() }
  public static var disabled: Self { fatalError() }
}
