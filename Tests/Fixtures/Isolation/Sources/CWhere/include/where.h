#include <stdbool.h>
#include <stdint.h>

/// The runtime's question whether the caller runs on an executor, which is given by its two words.
/// With no flags it answers; the standard library's form ends the program instead.
__attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    uintptr_t identity, uintptr_t implementation, uint64_t flags);

bool is_current_executor(uintptr_t identity, uintptr_t implementation);
