/// The former name of ``CakeContext``; programs may have a `Context` of their own.
@available(*, unavailable, renamed: "CakeContext")
public typealias Context = CakeContext
