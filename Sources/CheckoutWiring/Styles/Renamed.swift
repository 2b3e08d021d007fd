/// The former name of ``CakeContext``. It was changed, because programs may declare their own
/// type `Context`.
@available(*, unavailable, renamed: "CakeContext")
public typealias Context = CakeContext
