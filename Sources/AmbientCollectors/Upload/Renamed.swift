/// The former name of ``EventDestination``. The type was renamed, because a program may have a type
/// `Destination` of its own.
@available(*, unavailable, renamed: "EventDestination")
public typealias Destination = EventDestination

/// The former name of ``EventEntry``. The type was renamed, because a program may have a type
/// `Entry` of its own.
@available(*, unavailable, renamed: "EventEntry")
public typealias Entry = EventEntry

/// The former name of ``EventRefusal``. The type was renamed, because a program may have a type
/// `Refusal` of its own.
@available(*, unavailable, renamed: "EventRefusal")
public typealias Refusal = EventRefusal

/// The former name of ``DeliveryVerdict``. The type was renamed, because a program may have a type
/// `Verdict` of its own.
@available(*, unavailable, renamed: "DeliveryVerdict")
public typealias Verdict = DeliveryVerdict
