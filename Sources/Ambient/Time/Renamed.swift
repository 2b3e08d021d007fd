/// The former name of ``AmbientIdentifier``. It was changed, because programs may declare their own
/// type `Identifier`.
@available(*, unavailable, renamed: "AmbientIdentifier")
public typealias Identifier = AmbientIdentifier
