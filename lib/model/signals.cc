#include "model/signals.h"

#include <pthread.h>
#include <signal.h>

#include <initializer_list>

namespace assay {

void hold_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ending, signal);
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
}

}  // namespace assay
