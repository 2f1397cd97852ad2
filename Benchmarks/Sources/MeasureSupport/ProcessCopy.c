#include "ProcessCopy.h"

#include <sys/wait.h>
#include <unistd.h>

int process_copy(void) { return fork(); }

int process_copy_wait(int copy) {
  int status = 0;
  return waitpid(copy, &status, 0) == copy ? status : -1;
}
