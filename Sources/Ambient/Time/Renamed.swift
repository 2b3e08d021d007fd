/// The former name of ``AmbientIdentifier``; programs may have an `Identifier` of their own.
@available(*, unavailable, renamed: "AmbientIdentifier")
public typealias Identifier = AmbientIdentifier
