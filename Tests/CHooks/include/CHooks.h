#pragma once

// Puts a hook of somebody else's before the pool's, as another library for tests does, which hands
// all jobs to the hook that it found (chained), or straight to the pool.
void install_foreign_hook(int chained);

// How many jobs it has seen.
long foreign_hook_jobs(void);
