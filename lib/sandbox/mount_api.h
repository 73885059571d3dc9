// The kernel's descriptor-based mount calls (Linux 5.12), which the C library of Ubuntu 22.04 does not wrap yet.
// Each returns -1 and sets errno on failure. Async-signal-safe. Descriptors are close-on-exec.
#pragma once

#include <cstdint>

namespace assay {

constexpr uint64_t mount_read_only = 0x1;   // MOUNT_ATTR_RDONLY
constexpr uint64_t mount_no_setuid = 0x2;   // MOUNT_ATTR_NOSUID
constexpr uint64_t mount_no_device = 0x4;   // MOUNT_ATTR_NODEV
constexpr uint64_t mount_no_exec = 0x8;     // MOUNT_ATTR_NOEXEC
constexpr uint64_t mount_id_map = 0x100000; // MOUNT_ATTR_IDMAP

int clone_tree(const char* source, bool recursive);  // a detached copy of the mounts at source
int change_tree(int tree, uint64_t attributes, bool recursive, int user_namespace = -1);  // sets, never clears
int attach_tree(int tree, const char* target);
int make_filesystem(const char* type, const char* options, uint64_t attributes);  // options: "a=1,b=2"; detached
int make_mounts_private();        // in this mount namespace: nothing propagates in or out
int switch_root(int tree);        // the process's root becomes tree, attached over "/"; the old root is gone

}  // namespace assay
