#ifndef PROCESS_COPY_H
#define PROCESS_COPY_H

// Swift does not import fork: a process that has threads can't go on in a copy. Call these before the
// first thread starts.

/// Makes a copy of this process, and returns its number here and 0 in the copy; less than 0 if it fails.
int process_copy(void);

/// Waits until a copy has ended, and returns 0 if it has ended well.
int process_copy_wait(int copy);

#endif
