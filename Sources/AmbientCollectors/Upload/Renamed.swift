/// The former name of ``EventDestination``; programs may have a `Destination` of their own.
@available(*, unavailable, renamed: "EventDestination")
public typealias Destination = EventDestination

/// The former name of ``EventEntry``; programs may have an `Entry` of their own.
@available(*, unavailable, renamed: "EventEntry")
public typealias Entry = EventEntry

/// The former name of ``EventRefusal``; programs may have a `Refusal` of their own.
@available(*, unavailable, renamed: "EventRefusal")
public typealias Refusal = EventRefusal

/// The former name of ``DeliveryVerdict``; programs may have a `Verdict` of their own.
@available(*, unavailable, renamed: "DeliveryVerdict")
public typealias Verdict = DeliveryVerdict
