#include "CGDALFiles.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cpl_vsi_error.h>
#include <cpl_vsi_virtual.h>
#include <gdal.h>

namespace {

thread_local alidade_file_scope *current = nullptr;
/* A name that no file has; looking for it shows whether the rule is asked. */
const char probe[] = "/alidade/probe/of/the/rule\x01";
thread_local bool wasAsked = false;

/*
 * Whether a name is that of a shapefile's index. GDAL believes an index whatever has become of the file since: an index
 * that is older hides features. Nothing in an index shows that it fits, so it is not used.
 */
bool isShapefileIndex(const char *path) {
  static const char *const endings[] = {".qix", ".sbn", ".sbx", ".idm", ".ind"};
  static const char *const files[] = {".shp", ".SHP", ".dbf", ".DBF"};
  const char *const ending = strrchr(path, '.');
  if (ending == nullptr)
    return false;
  for (const char *const known : endings) {
    if (strcasecmp(ending, known) != 0)
      continue;
    char beside[PATH_MAX];
    for (const char *const file : files) {
      const int length = snprintf(beside, sizeof beside, "%.*s%s", static_cast<int>(ending - path), path, file);
      if (length > 0 && length < PATH_MAX && access(beside, F_OK) == 0)
        return true;
    }
  }
  return false;
}

/*
 * A file that is looked at before it is opened. O_PATH neither waits for the writer of a pipe nor touches a device, and
 * what is opened by way of the descriptor is the very file that was looked at.
 */
class LookedAt {
public:
  explicit LookedAt(const char *path) : descriptor_(open(path, O_PATH | O_CLOEXEC)) {
    struct stat status = {};
    isThere_ = descriptor_ >= 0 && fstat(descriptor_, &status) == 0;
    isFile_ = isThere_ && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
    if (isThere_)
      snprintf(link_, sizeof link_, "/proc/self/fd/%d", descriptor_);
  }
  LookedAt(const LookedAt &) = delete;
  LookedAt &operator=(const LookedAt &) = delete;
  ~LookedAt() {
    const int before = errno;
    if (descriptor_ >= 0)
      close(descriptor_);
    errno = before;
  }

  bool isThere() const {
    return isThere_;
  }
  bool isFile() const {
    return isFile_;
  }
  /* A name that leads to the file, whatever has become of its path. Empty where /proc is not mounted. */
  const char *name() const {
    return access(link_, F_OK) == 0 ? link_ : "";
  }
  /* The path without links; empty if it is not known. Valid as long as this object. */
  const char *resolved(const char *path) {
    const ssize_t length = readlink(link_, path_, sizeof path_ - 1);
    if (length > 0) {
      path_[length] = '\0';
    } else if (realpath(path, path_) == nullptr) {
      path_[0] = '\0';
    }
    return path_;
  }

private:
  int descriptor_;
  bool isThere_ = false;
  bool isFile_ = false;
  char link_[32] = "";
  char path_[PATH_MAX];
};

/* GDAL's local file system, which opens only regular files and folders on threads that are inside a scope. */
class GuardedFiles final : public VSIFilesystemHandler {
public:
  explicit GuardedFiles(VSIFilesystemHandler *files) : files_(files) {
  }
  GuardedFiles(const GuardedFiles &) = delete;
  GuardedFiles &operator=(const GuardedFiles &) = delete;
  /* GDAL destroys its handlers when it is shut down; the one behind this is known to nobody else. */
  ~GuardedFiles() override {
    delete files_;
  }

  VSIVirtualHandle *Open(const char *path, const char *access, bool setsError, CSLConstList options) override {
    alidade_file_scope *const scope = current;
    if (scope == nullptr)
      return files_->Open(path, access, setsError, options);
    if (isShapefileIndex(path)) {
      errno = ENOENT;
      return failed(path, setsError);
    }
    LookedAt file(path);
    if (!file.isThere()) {
      // Without a handle left, the system does not look whether there is such a file.
      if (isLackOfHandles(errno)) {
        if (::access(path, F_OK) == 0) {
          lackHandles(scope, path);
          errno = EMFILE;
        } else {
          errno = ENOENT;
        }
      }
      // It is to be made, perhaps.
      if (errno == ENOENT && access[0] != 'r')
        return files_->Open(path, access, setsError, options);
      return failed(path, setsError);
    }
    if (!file.isFile()) {
      refuse(scope, path, nullptr);
      errno = ENODEV;
      return failed(path, setsError);
    }
    if (scope->allows != nullptr) {
      const char *const resolved = file.resolved(path);
      if (!scope->allows(scope->context, resolved)) {
        refuse(scope, path, resolved);
        errno = EACCES;
        return failed(path, setsError);
      }
    }
    const char *const name = file.name();
    if (*name == '\0')
      return files_->Open(path, access, setsError, options);
    VSIVirtualHandle *const handle = files_->Open(name, access, false, options);
    if (handle != nullptr)
      return handle;
    if (isLackOfHandles(errno))
      lackHandles(scope, path);
    return failed(path, setsError);
  }

  int Stat(const char *path, VSIStatBufL *status, int flags) override {
    if (strcmp(path, probe) == 0)
      wasAsked = true;
    if (current != nullptr && isShapefileIndex(path)) {
      errno = ENOENT;
      return -1;
    }
    return files_->Stat(path, status, flags);
  }

  // Everything else is as it is without the rule.
  int Unlink(const char *path) override {
    return files_->Unlink(path);
  }
  int *UnlinkBatch(CSLConstList paths) override {
    return files_->UnlinkBatch(paths);
  }
  int Mkdir(const char *path, long mode) override {
    return files_->Mkdir(path, mode);
  }
  int Rmdir(const char *path) override {
    return files_->Rmdir(path);
  }
  int RmdirRecursive(const char *path) override {
    return files_->RmdirRecursive(path);
  }
  char **ReadDir(const char *path) override {
    return files_->ReadDir(path);
  }
  char **ReadDirEx(const char *path, int most) override {
    return files_->ReadDirEx(path, most);
  }
  char **SiblingFiles(const char *path) override {
    return files_->SiblingFiles(path);
  }
  int Rename(const char *from, const char *to) override {
    return files_->Rename(from, to);
  }
  int IsCaseSensitive(const char *path) override {
    return files_->IsCaseSensitive(path);
  }
  GIntBig GetDiskFreeSpace(const char *path) override {
    return files_->GetDiskFreeSpace(path);
  }
  int SupportsSparseFiles(const char *path) override {
    return files_->SupportsSparseFiles(path);
  }
  int HasOptimizedReadMultiRange(const char *path) override {
    return files_->HasOptimizedReadMultiRange(path);
  }
  const char *GetActualURL(const char *path) override {
    return files_->GetActualURL(path);
  }
  const char *GetOptions() override {
    return files_->GetOptions();
  }
  char *GetSignedURL(const char *path, CSLConstList options) override {
    return files_->GetSignedURL(path, options);
  }
  bool Sync(const char *from, const char *to, const char *const *options, GDALProgressFunc progress, void *data,
            char ***outputs) override {
    return files_->Sync(from, to, options, progress, data, outputs);
  }
  VSIDIR *OpenDir(const char *path, int depth, const char *const *options) override {
    return files_->OpenDir(path, depth, options);
  }
  char **GetFileMetadata(const char *path, const char *domain, CSLConstList options) override {
    return files_->GetFileMetadata(path, domain, options);
  }
  bool SetFileMetadata(const char *path, CSLConstList metadata, const char *domain, CSLConstList options) override {
    return files_->SetFileMetadata(path, metadata, domain, options);
  }
  bool AbortPendingUploads(const char *path) override {
    return files_->AbortPendingUploads(path);
  }
  std::string GetStreamingFilename(const std::string &path) const override {
    return files_->GetStreamingFilename(path);
  }
  bool IsLocal(const char *path) override {
    return files_->IsLocal(path);
  }
  bool SupportsSequentialWrite(const char *path, bool temporary) override {
    return files_->SupportsSequentialWrite(path, temporary);
  }
  bool SupportsRandomWrite(const char *path, bool temporary) override {
    return files_->SupportsRandomWrite(path, temporary);
  }
  bool SupportsRead(const char *path) override {
    return files_->SupportsRead(path);
  }

private:
  VSIFilesystemHandler *const files_;

  static void refuse(alidade_file_scope *scope, const char *path, const char *outside) {
    if (scope->refused != nullptr)
      return;
    scope->refused = strdup(path);
    scope->outside = outside != nullptr ? strdup(outside) : nullptr;
  }

  static bool isLackOfHandles(int reason) {
    return reason == EMFILE || reason == ENFILE;
  }

  /* GDAL goes on as if there were no such file, and the answer would be another. */
  static void lackHandles(alidade_file_scope *scope, const char *path) {
    if (scope->refused != nullptr)
      return;
    refuse(scope, path, nullptr);
    scope->lacksHandles = true;
  }

  /* As GDAL reports what it cannot open; errno says why. */
  static VSIVirtualHandle *failed(const char *path, bool setsError) {
    const int reason = errno;
    if (setsError)
      VSIError(VSIE_FileError, "%s: %s", path, strerror(reason));
    errno = reason;
    return nullptr;
  }
};

} // namespace

bool alidade_files_install(void) {
  // The handler's functions are found by their numbers in a table, which may differ between minor versions.
  const char *const version = GDALVersionInfo("VERSION_NUM");
  if (version == nullptr || atoi(version) / 10000 != GDAL_VERSION_NUM / 10000)
    return false;
  if (alidade_files_stand())
    return true;
  GuardedFiles *const files = new (std::nothrow) GuardedFiles(VSIFileManager::GetHandler(""));
  if (files == nullptr)
    return false;
  VSIFileManager::InstallHandler("", files);
  return alidade_files_stand();
}

bool alidade_files_stand(void) {
  VSIStatBufL status;
  wasAsked = false;
  return VSIStatExL(probe, &status, VSI_STAT_EXISTS_FLAG) != 0 && wasAsked;
}

alidade_file_scope *alidade_files_enter(alidade_file_scope *scope) {
  alidade_file_scope *const outer = current;
  current = scope;
  return outer;
}

void alidade_files_leave(alidade_file_scope *outer) {
  current = outer;
}

alidade_file_scope *alidade_files_scope(void) {
  return current;
}

FILE *alidade_files_open(const char *path) {
  const LookedAt file(path);
  if (!file.isFile())
    return nullptr;
  const char *const name = file.name();
  return fopen(*name != '\0' ? name : path, "re");
}
