#include "sandbox/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace assay {

bool send_message(int channel, const Message& message) {
  ssize_t n;
  do n = ::send(channel, &message, sizeof message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof message);
}

bool receive_message(int channel, Message& message) {
  ssize_t n;
  // ECONNRESET, told once, means that the other end died with something unread; what it sent before is still here.
  do n = ::recv(channel, &message, sizeof message, 0);
  while (n < 0 && (errno == EINTR || errno == ECONNRESET));
  return n == static_cast<ssize_t>(sizeof message);
}

void fail_setup(int channel, const char* operation, const char* object) {
  Message message{};
  message.kind = Message::failed;
  message.error = errno;
  std::strncpy(message.operation, operation, sizeof message.operation - 1);
  std::strncpy(message.object, object, sizeof message.object - 1);
  // write, not send: the filter may be loaded already, and every policy allows write.
  [[maybe_unused]] ssize_t n = ::write(channel, &message, sizeof message);
  ::_exit(127);
}

}  // namespace assay
