#ifndef C_FILES_H
#define C_FILES_H

// rename(2) that fails with EEXIST where something has the other name, be it that it came just now.
int ambient_rename_new(const char *path, const char *other);

#endif
