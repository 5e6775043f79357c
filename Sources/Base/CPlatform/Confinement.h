// What the files about confined programs share.
#ifndef MAGNUM_CONFINEMENT_H
#define MAGNUM_CONFINEMENT_H

// Refuses, from now on and for all programs that are executed, calls of the system that no filter of texts needs.
void magnum_filter_calls(void);

// Octets of memory that all processes of the namespace hold; -1 where /proc does not tell.
long long magnum_memory_of_all(void);

// The number of the process of the namespace that was made last; -1 where /proc does not tell.
int magnum_newest_process(void);

#endif
