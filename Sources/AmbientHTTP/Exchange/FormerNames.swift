/// The former name of ``HTTPAnswer``, which was too general for a module that is imported.
@available(*, unavailable, renamed: "HTTPAnswer")
public typealias Answer = HTTPAnswer

/// The former name of ``HTTPTransport``, which was too general for a module that is imported.
@available(*, unavailable, renamed: "HTTPTransport")
public typealias Transport = HTTPTransport
