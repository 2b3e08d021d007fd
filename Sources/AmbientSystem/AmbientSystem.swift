// SPDX-License-Identifier: Apache-2.0

// The system's libraries that Ambient uses, each under the name that it has on this system. Ambient
// imports this module in place of them, so that one file knows the names.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#else
  #error("Ambient runs on Linux and Apple's systems: see README.md")
#endif
