#pragma once

// Puts a hook of somebody else's before the pool's, as another library for tests does, which hands
// all jobs to the hook that it found (chained), or straight to the pool. There are two, 0 and 1.
void install_foreign_hook(int number, int chained);

// How many jobs it has seen.
long foreign_hook_jobs(int number);
