/// The former name of ``HTTPAnswer``. The name was too general for programs that import the module.
@available(*, unavailable, renamed: "HTTPAnswer")
public typealias Answer = HTTPAnswer

/// The former name of ``HTTPTransport``. The name was too general for programs that import the module.
@available(*, unavailable, renamed: "HTTPTransport")
public typealias Transport = HTTPTransport
