#ifndef C_CLOCK_H
#define C_CLOCK_H

// The number of reads of a clock that came to this program's own `clock_gettime`.
long own_reads(void);

#endif
