#include "io/growing_file.hpp"

#include <system_error>

#include "io/atomic_file.hpp"
#include "millrace/error.hpp"

namespace millrace {

namespace fs = std::filesystem;

GrowingFile::GrowingFile(fs::path path, std::string content)
    : path_(std::move(path)), missing_(std::move(content)) {
    const std::string name = path_.filename().string();
    spare_ = path_.parent_path() / ('.' + name + ".tmp");
    swap_ = path_.parent_path() / ('.' + name + ".swap.tmp");
    std::error_code ignored;
    fs::remove(spare_, ignored);
    fs::remove(swap_, ignored);
    write_file(path_, missing_);
}

GrowingFile::~GrowingFile() {
    std::error_code ignored;
    fs::remove(spare_, ignored);
}

void GrowingFile::flush() {
    if (pending_.empty())
        return;
    const auto check = [&](const std::error_code& error) {
        if (error)
            throw RunError(path_.string() + ": cannot be written: " + error.message());
    };
    append_to_file(spare_, missing_ + pending_, path_);

    std::error_code no_links, error;
    fs::create_hard_link(path_, swap_, no_links);
    fs::rename(spare_, path_, error);
    check(error);
    if (no_links) {  // a file system such as FAT: the spare file is made anew
        fs::copy_file(path_, spare_, error);
        missing_.clear();
    } else {
        fs::rename(swap_, spare_, error);
        missing_ = std::move(pending_);
    }
    check(error);
    pending_.clear();
}

}  // namespace millrace
