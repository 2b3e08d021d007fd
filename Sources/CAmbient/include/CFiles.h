#ifndef C_FILES_H
#define C_FILES_H

// rename(2) that fails with EEXIST where something has the other name, be it that it came just now.
int ambient_rename_new(const char *path, const char *other);

// Waits until what was written to the file stands on the disk.
int ambient_synchronize(int descriptor);

// That, by `full` where the file system can do it, or else by `usual`. So that tests on Linux reach it.
int ambient_synchronize_by(int (*full)(int), int (*usual)(int), int descriptor);

#endif
