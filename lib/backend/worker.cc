// The program inside the sandbox: loads one kernel, maps the verifier's buffers, calls the kernel when told.
//
//   worker SOCKET OBJECT ENTRY
//
// Once OBJECT is loaded, this process is the candidate's: nothing here protects anything. It only has to be small, and
// to do exactly one thing a message. Started by lib/backend/process.cc, through sandbox-run; no person starts it.
#include <dlfcn.h>
#include <dlpack/dlpack.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "backend/protocol.h"

namespace {

using assay::protocol::Kind;
using assay::protocol::MapMessage;
using assay::protocol::Message;

using Entry = void (*)(const DLTensor* const*, DLTensor* const*);

struct Block {
  char* data = nullptr;
  size_t bytes = 0;
};

int channel = -1;
Block inputs, outputs;  // as mapped now; the fault handler reads them

void say(Message message) {
  if (::send(channel, &message, sizeof message, MSG_NOSIGNAL) != sizeof message) ::_exit(120);
}

void answer(Kind kind, uint64_t sequence, const char* text = "") {
  Message message{.kind = kind, .sequence = sequence};
  ::strncpy(message.text, text, sizeof message.text - 1);
  say(message);
}

// Tells a write to the read-only inputs from any other fault, then lets the signal kill.
void on_fault(int signal, siginfo_t* info, void*) {
  const char* at = static_cast<const char*>(info->si_addr);
  bool in_input = inputs.data && at >= inputs.data && at < inputs.data + inputs.bytes;
  Message message{.kind = Kind::fault, .in_input = in_input};
  (void)!::send(channel, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
  ::signal(signal, SIG_DFL);
}

// Receives a message and the two descriptors of a map.
size_t receive(MapMessage& message, int (&fds)[2]) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fds)] = {};
  iovec data{&message, sizeof message};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t n = ::recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
  if (n <= 0) ::_exit(0);  // the verifier is gone
  cmsghdr* c = CMSG_FIRSTHDR(&header);
  if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof fds)) ::memcpy(fds, CMSG_DATA(c), sizeof fds);
  return static_cast<size_t>(n);
}

Block map_block(int fd, uint64_t address, uint64_t bytes, int protection) {
  void* at = ::mmap(reinterpret_cast<void*>(address), bytes, protection, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (fd >= 0) ::close(fd);
  return at == MAP_FAILED ? Block{} : Block{static_cast<char*>(at), bytes};
}

void unmap(const Block& block) {
  if (block.data) ::munmap(block.data, block.bytes);
}

struct Tensors {
  std::vector<DLTensor> all;
  std::vector<const DLTensor*> inputs;
  std::vector<DLTensor*> outputs;
};

void describe(MapMessage& message, Tensors& tensors) {
  tensors = {};
  tensors.all.resize(message.head.tensors);
  for (uint32_t i = 0; i < message.head.tensors; ++i) {
    assay::protocol::Tensor& t = message.tensors[i];
    DLTensor& d = tensors.all[i];
    d.data = (t.is_output ? outputs.data : inputs.data) + t.offset;
    d.device = {kDLCPU, 0};
    d.ndim = t.dimensions;
    d.dtype = {t.code, t.bits, 1};
    d.shape = t.shape;
    d.strides = nullptr;
    d.byte_offset = 0;
    if (t.is_output)
      tensors.outputs.push_back(&d);
    else
      tensors.inputs.push_back(&d);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 121;
  channel = ::atoi(argv[1]);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &action, nullptr);
  answer(Kind::hello, 0);

  Entry entry = nullptr;
  Tensors tensors;
  static MapMessage message, current;  // current's shapes are what the tensors point to
  for (;;) {
    int fds[2] = {-1, -1};
    receive(message, fds);
    switch (message.head.kind) {
      case Kind::load: {
        void* object = ::dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
        if (object) entry = reinterpret_cast<Entry>(::dlsym(object, argv[3]));
        const char* why = entry ? "" : ::dlerror();
        answer(Kind::loaded, message.head.sequence, why ? why : "the entry is null");
        break;
      }
      case Kind::map: {
        Block old_inputs = inputs, old_outputs = outputs;  // unmapped last: the new addresses differ from the old
        inputs = map_block(fds[0], message.head.input_address, message.head.input_bytes, PROT_READ);
        outputs = map_block(fds[1], message.head.output_address, message.head.output_bytes, PROT_READ | PROT_WRITE);
        unmap(old_inputs);
        unmap(old_outputs);
        current = message;
        bool ok = inputs.data && outputs.data;
        if (ok) describe(current, tensors);
        answer(Kind::mapped, message.head.sequence, ok ? "" : "not enough memory to map the tensors");
        break;
      }
      case Kind::call:
        entry(tensors.inputs.data(), tensors.outputs.data());
        answer(Kind::done, message.head.sequence);
        break;
      default: return 122;
    }
  }
}
