// Who the confined command is, and the namespaces it lives in.
//
// An ordinary user makes a user namespace that maps his own id alone; the command keeps that id outside, so that the
// caller can signal it, and has no other. Root does the mounting as root, and then the command's process becomes uid
// 65534 in a user namespace that maps nothing else: the uid of the command is never 0 outside, because root's limits
// on processes and files in /proc do not bind uid 0.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"

namespace assay {

constexpr uid_t nobody = 65534;

struct Identity {
  bool privileged = false;  // we are root with the capabilities of root, and can become another user
  uid_t inner_uid = 0, outer_uid = 0;  // outer: in our user namespace
  gid_t inner_gid = 0, outer_gid = 0;
};

// Throws Error if the command could only run as root, or if we are set-user-ID.
Identity choose_identity();

// Forks into new mount, pid, net, ipc, uts and cgroup namespaces, and for an ordinary user a user namespace as well.
// Returns twice, like fork: 0 in the child, which is process 1 there. -1 with errno on failure.
pid_t fork_into_namespaces(const Identity& identity);

// The id maps of a process in a new user namespace of its own. `process` is a pid or "self". Throws Error.
void write_id_maps(pid_t process, uid_t inner_uid, uid_t outer_uid, gid_t inner_gid, gid_t outer_gid);
// The same from inside, for an ordinary user. Async-signal-safe; false with errno.
bool write_own_id_maps(const char* uid_map, const char* gid_map);

// A user namespace for an id-mapped mount: what belongs to uid and gid on disk belongs to `nobody` in the mount.
// Throws.
Fd make_mount_id_map(uid_t uid, gid_t gid);

// Why the kernel refused to make a sandbox here and what to do about it; one line.
std::string explain_refusal(int error);

}  // namespace assay
