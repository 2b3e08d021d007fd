// A test that freezes, travels or opens a scope of virtual time imports one module for all.
@_exported public import AmbientVirtualTime
